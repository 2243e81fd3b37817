/* The layouts of the wire protocol, each in one place (docs/protocol.md). No include guard: wire.h makes the structs
 * from it, wire.c the functions that write and read them. Little-endian; all padding is listed here.
 *
 *   MESSAGE(name) … END(name)   the fixed part of a message or of a record; its C struct is fm_wire_<name>
 *   FIELD(name, type, member)   one number: u8 u16 u32 u64 f32 f64
 *   ARRAY(name, type, member, count)
 *   TEXT(name, member, size)    UTF-8, ends with NUL within its size, padded with zeros */

/* clang-format off */

/* --- connecting --- */
MESSAGE(hello)
FIELD(hello, u64, nonce)
FIELD(hello, u8, least)                  /* versions that the client speaks */
FIELD(hello, u8, most)
FIELD(hello, u8, role)
ARRAY(hello, u8, zero, 149)              /* so that no answer is longer */
END(hello)

MESSAGE(challenge)
FIELD(challenge, u64, nonce)
ARRAY(challenge, u8, cookie, 16)
END(challenge)

MESSAGE(connect)
ARRAY(connect, u8, cookie, 16)
FIELD(connect, u8, role)
TEXT(connect, name, 32)
TEXT(connect, model, 32)                 /* of a vehicle to add; of a controller the vehicle that it takes over */
ARRAY(connect, f64, pose, 6)             /* m NED, rad: phi theta psi */
FIELD(connect, u32, state_period)        /* µs; 0: the server's; 0xFFFFFFFF: no STATE */
FIELD(connect, u64, nonce)               /* of HELLO */
FIELD(connect, u64, resume)              /* token of a lost session; 0: none */
FIELD(connect, u32, flags)               /* FM_WIRE_CONNECT_… */
FIELD(connect, u32, sensor_period)       /* µs; 0: every sample; 0xFFFFFFFF: no SENSORS */
FIELD(connect, u16, address)             /* acoustic, of a vehicle to add; 0: a free one */
END(connect)

MESSAGE(welcome)
FIELD(welcome, u16, id)
FIELD(welcome, u64, dt)                  /* ns */
FIELD(welcome, u32, state_period)        /* µs, as the server will use it; 0xFFFFFFFF: none */
FIELD(welcome, u32, sensor_period)       /* µs */
FIELD(welcome, u32, keep_alive)          /* ms */
FIELD(welcome, u32, timeout)             /* ms */
FIELD(welcome, u32, capabilities)        /* FM_WIRE_CAN_… */
FIELD(welcome, f64, latitude)            /* rad, of the origin */
FIELD(welcome, f64, longitude)
FIELD(welcome, u8, state)                /* FM_WIRE_STOPPED … */
FIELD(welcome, u16, vehicle)             /* number of the client's vehicle; 0: none, or not yet in the water */
FIELD(welcome, u16, flags)               /* FM_WIRE_WELCOME_… */
FIELD(welcome, u64, nonce)
FIELD(welcome, u32, commands)            /* highest id of COMMAND that the session has received; 0: none */
FIELD(welcome, u32, sounds)              /* the same of ACOUSTIC_SEND */
END(welcome)

MESSAGE(reject)
FIELD(reject, u16, code)
TEXT(reject, text, 144)
FIELD(reject, u64, nonce)
END(reject)

MESSAGE(leave)                           /* DISCONNECT, BYE */
FIELD(leave, u16, reason)
END(leave)

MESSAGE(ping)                            /* PING, PONG */
FIELD(ping, u64, nonce)
FIELD(ping, u64, sent)                   /* ns, of the sender's clock */
END(ping)

/* --- a vehicle --- */
MESSAGE(actuate)                         /* then f32[count] */
FIELD(actuate, u64, apply_at)            /* 0.1 ms of simulation; 0: at once */
FIELD(actuate, u8, mode)                 /* FM_WIRE_FORCE … */
FIELD(actuate, u8, count)
FIELD(actuate, u16, hold)                /* ms of simulation; 0: for ever */
END(actuate)

MESSAGE(state)                           /* then f32[count], u32 flags and u8[count] owners */
ARRAY(state, f64, position, 3)           /* m, NED */
ARRAY(state, f64, attitude, 4)           /* w x y z, body → world */
ARRAY(state, f32, velocity, 3)           /* m/s over ground, body axes */
ARRAY(state, f32, rates, 3)              /* rad/s, body axes */
ARRAY(state, f32, acceleration, 3)       /* m/s², body axes: change of velocity */
ARRAY(state, f32, flow, 3)               /* m/s, NED: of the water there */
FIELD(state, u8, count)
END(state)

MESSAGE(sensor)                          /* head of a TLV; then `length` bytes: fm_wire_sample, values */
FIELD(sensor, u16, id)
FIELD(sensor, u16, length)
FIELD(sensor, u64, time)                 /* 0.1 ms, of the sample */
END(sensor)

MESSAGE(sample)                          /* begins the bytes of a TLV */
FIELD(sample, u8, flags)                 /* FM_WIRE_SAMPLE_… */
FIELD(sample, u8, part)                  /* of a long sample, from 0 */
FIELD(sample, u8, parts)
FIELD(sample, u8, zero)
END(sample)

MESSAGE(ready)                           /* then `count` actuations, each as in ACTUATE */
FIELD(ready, u64, time)                  /* 0.1 ms: of the STATE that it answers */
FIELD(ready, u8, count)
END(ready)

/* --- sound --- */
MESSAGE(acoustic_send)                   /* then `length` bytes and fm_wire_acoustic_send_tail */
FIELD(acoustic_send, u8, transducer)
FIELD(acoustic_send, u8, kind)           /* FM_WIRE_PING … */
FIELD(acoustic_send, u16, length)
FIELD(acoustic_send, f32, frequency)     /* Hz; 0: the transducer's */
FIELD(acoustic_send, f32, level)         /* dB re 1 µPa at 1 m; 0: the transducer's */
FIELD(acoustic_send, u32, id)
END(acoustic_send)

MESSAGE(acoustic_send_tail)
FIELD(acoustic_send_tail, u16, to)       /* address; 0: broadcast */
FIELD(acoustic_send_tail, u16, code)
END(acoustic_send_tail)

MESSAGE(acoustic_status)
FIELD(acoustic_status, u32, id)
FIELD(acoustic_status, u16, code)
FIELD(acoustic_status, u64, emitted)     /* 0.1 ms: when it leaves */
FIELD(acoustic_status, u64, ready_at)    /* 0.1 ms: when the transducer can send again, after this sound */
TEXT(acoustic_status, text, 96)          /* why it was refused */
END(acoustic_status)

MESSAGE(acoustic_recv)                   /* then bytes and fm_wire_acoustic_recv_tail */
FIELD(acoustic_recv, u32, id)            /* of the signal in this simulation */
FIELD(acoustic_recv, u16, from)          /* address of the sender; 0: none */
FIELD(acoustic_recv, u8, path)           /* FM_WIRE_PATH_DIRECT … */
FIELD(acoustic_recv, f32, frequency)     /* Hz, as heard */
FIELD(acoustic_recv, f32, level)         /* dB */
FIELD(acoustic_recv, f32, snr)           /* dB */
FIELD(acoustic_recv, u64, time)          /* 0.1 ms … */
FIELD(acoustic_recv, u32, sub)           /* … and ns beyond it */
FIELD(acoustic_recv, f32, azimuth)       /* rad, direction it comes from, from north over east */
FIELD(acoustic_recv, f32, elevation)     /* rad, upwards */
END(acoustic_recv)

MESSAGE(acoustic_recv_tail)
FIELD(acoustic_recv_tail, u8, transducer)
FIELD(acoustic_recv_tail, u8, kind)
FIELD(acoustic_recv_tail, u16, to)
FIELD(acoustic_recv_tail, u16, code)
FIELD(acoustic_recv_tail, u32, number)   /* of the messages sent to this session, from 1: a gap is a loss */
END(acoustic_recv_tail)

/* --- commands, lists, events --- */
MESSAGE(command)                         /* then its arguments: wire_command.h */
FIELD(command, u16, verb)                /* fm_command_kind */
FIELD(command, u32, id)
END(command)

MESSAGE(result)
FIELD(result, u16, code)
FIELD(result, u32, id)
FIELD(result, u16, verb)
FIELD(result, u64, time)                 /* 0.1 ms: when it was done */
FIELD(result, f64, value)
TEXT(result, text, 160)
END(result)

MESSAGE(subscribe)
FIELD(subscribe, u32, mask)              /* FM_WIRE_WANT_… */
FIELD(subscribe, u32, period)            /* µs, as state_period of CONNECT */
FIELD(subscribe, u16, vehicle)           /* number; 0: the client's own, or all if it has none */
END(subscribe)

MESSAGE(event)
FIELD(event, u16, kind)                  /* FM_WIRE_EVENT_JOINED … */
FIELD(event, u16, vehicle)               /* number; of joined and left without a vehicle 0 */
FIELD(event, u32, number)                /* of the messages sent to this session, from 1: a gap is a loss */
FIELD(event, u64, time)                  /* 0.1 ms */
FIELD(event, f64, value)
TEXT(event, text, 128)
END(event)

MESSAGE(error)
FIELD(error, u16, code)
FIELD(error, u32, sequence)
FIELD(error, u16, type)
END(error)

MESSAGE(describe)
FIELD(describe, u16, what)               /* FM_WIRE_ACTUATORS … */
FIELD(describe, u16, vehicle)            /* number; 0: one's own */
FIELD(describe, u32, first)
TEXT(describe, pattern, 96)              /* of parameters: a path, or a part of it; "": all */
END(describe)

MESSAGE(description)                     /* then `count` records */
FIELD(description, u16, what)
FIELD(description, u16, vehicle)
FIELD(description, u32, first)
FIELD(description, u32, total)
FIELD(description, u16, count)
FIELD(description, u16, size)            /* bytes of one record */
END(description)

/* --- records of DESCRIPTION --- */
MESSAGE(actuator)
TEXT(actuator, name, 32)
TEXT(actuator, unit, 16)
FIELD(actuator, f64, low)
FIELD(actuator, f64, high)
FIELD(actuator, u8, modes)               /* bit m: takes mode m of ACTUATE */
END(actuator)

MESSAGE(instrument)
FIELD(instrument, u16, id)
TEXT(instrument, name, 32)
TEXT(instrument, kind, 32)
FIELD(instrument, f64, period)           /* s */
FIELD(instrument, u32, size)             /* bytes of its values */
FIELD(instrument, u16, fields)
END(instrument)

MESSAGE(field)
FIELD(field, u16, instrument)
TEXT(field, name, 48)
TEXT(field, unit, 32)                    /* of scale × value + shift */
FIELD(field, u8, type)                   /* FM_WIRE_F64 … */
FIELD(field, u32, count)
FIELD(field, u32, offset)                /* size in bytes of the values of its instrument */
FIELD(field, f64, scale)
FIELD(field, f64, shift)
END(field)

MESSAGE(vehicle)
FIELD(vehicle, u16, number)
TEXT(vehicle, name, 32)
TEXT(vehicle, model, 32)
FIELD(vehicle, u16, client)              /* that brought it or steers it; 0: none */
END(vehicle)

MESSAGE(client)
FIELD(client, u16, id)
FIELD(client, u8, role)
FIELD(client, u8, flags)                 /* FM_WIRE_CLIENT_… */
FIELD(client, u16, vehicle)
TEXT(client, name, 32)
TEXT(client, model, 32)
TEXT(client, address, 48)
FIELD(client, u16, port)                 /* 0: a local socket */
FIELD(client, u64, reply)                /* ns: of the last PING; 0: none yet */
FIELD(client, u32, silence)              /* ms since it was last heard */
FIELD(client, u64, received)             /* datagrams taken */
FIELD(client, u64, sent)
FIELD(client, u64, dropped)              /* of both ways */
END(client)

MESSAGE(counter)
TEXT(counter, name, 48)
FIELD(counter, f64, value)
END(counter)

MESSAGE(parameter)
TEXT(parameter, path, 96)
TEXT(parameter, unit, 16)
FIELD(parameter, f64, value)
FIELD(parameter, f64, least)             /* both 0: no limits */
FIELD(parameter, f64, most)
FIELD(parameter, u8, live)
END(parameter)

MESSAGE(model)
TEXT(model, name, 32)
END(model)

MESSAGE(voice)                           /* a transducer or a modem */
FIELD(voice, u8, number)
FIELD(voice, u8, modem)
TEXT(voice, name, 32)
FIELD(voice, u16, address)
FIELD(voice, f32, frequency)             /* Hz */
FIELD(voice, f32, level)                 /* dB */
FIELD(voice, u16, most)                  /* bytes of one message, at most */
END(voice)

MESSAGE(owner)                           /* of an actuator */
TEXT(owner, actuator, 32)
FIELD(owner, u8, kind)                   /* FM_WIRE_OWNER_… */
FIELD(owner, u8, taken)                  /* 1: orders of others are refused */
TEXT(owner, name, 32)                    /* "schedule", the controller, the client or the bridge */
FIELD(owner, f64, order)                 /* in force, in the unit of the actuator */
END(owner)

MESSAGE(setpoint)
TEXT(setpoint, part, 32)                 /* controller that holds it */
TEXT(setpoint, name, 32)
TEXT(setpoint, unit, 16)
FIELD(setpoint, f64, least)              /* both 0: no limits */
FIELD(setpoint, f64, most)
FIELD(setpoint, f64, value)              /* where it is set */
FIELD(setpoint, u8, set)
FIELD(setpoint, u8, optional)            /* it can be not set */
END(setpoint)

MESSAGE(controller)
TEXT(controller, name, 32)
TEXT(controller, kind, 32)               /* its element */
FIELD(controller, u8, engaged)
END(controller)
/* clang-format on */
