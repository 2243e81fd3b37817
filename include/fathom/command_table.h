/* The table of commands: everything that can be said to a world or to its run. No include guard: each reader defines
 * the macros it needs, includes this file, and finds all of them undefined again afterwards.
 *
 * From it come the structs of fathom/command.h, their check, the record in the log, the layout of COMMAND on the wire,
 * the grammar of `fathom ctl` and of the command queue, the services of the page and of ROS 2, and a section of
 * docs/protocol.md. To add a command, add a row, write the functions of its carrier, and a test.
 *
 *   FM_COMMAND_WITH(name, NAME, number, word, Title, thread, who, carrier, wire, text, page, ros2, about)
 *       name, NAME   its struct is fm_command_<name>, its kind FM_COMMAND_<NAME>
 *       number       on the wire and in the log; never used for another command
 *       word         in text, and of the page's service
 *       Title        of the ROS 2 service fathom_msgs/srv/<Title>
 *       thread       LOOP: changes the pace of the run, at once; STEP: by the stepping thread, between two steps
 *       who          ALL: also the client of a vehicle, for that vehicle; COMMANDER: commanders alone
 *       carrier      fm_<carrier>_check and fm_<carrier>_take carry it out in the world; elsewhere: the server does
 *       wire … ros2  OFFERED at this door, or the reason why not
 *   FM_COMMAND_PLAIN(…)      the same for a command without arguments: it has no struct
 *
 * Its arguments follow in the order of the text and of the wire. An OPTIONAL one may be left out there, with those
 * after it. An UNSET number must be given, and NaN is accepted from programs: not set, or stale.
 *
 *   FM_ARG_NAME(self, member, size, need, role, about)      text of up to size - 1 bytes; role: VEHICLE, PATH, PLAIN
 *   FM_ARG_NUMBER(self, member, need, fallback, least, most, unit, about)
 *   FM_ARG_VECTOR(self, member, need, words, least, most, unit, about)   three numbers; the fallback is 0
 *   FM_ARG_WHOLE(self, member, need, fallback, least, most, about)       a whole number
 *   FM_ARG_BYTES(self, member, need, about)                 up to FM_SOUND_BYTES_MOST bytes
 *   FM_COMMAND_END(self) */

#ifndef FM_COMMAND_WITH
#define FM_COMMAND_WITH(...)
#endif
#ifndef FM_COMMAND_END
#define FM_COMMAND_END(...)
#endif
#ifndef FM_COMMAND_PLAIN
#define FM_COMMAND_PLAIN(name, ...) FM_COMMAND_WITH(name, __VA_ARGS__) FM_COMMAND_END(name)
#endif
#ifndef FM_ARG_NAME
#define FM_ARG_NAME(...)
#endif
#ifndef FM_ARG_NUMBER
#define FM_ARG_NUMBER(...)
#endif
#ifndef FM_ARG_VECTOR
#define FM_ARG_VECTOR(...)
#endif
#ifndef FM_ARG_WHOLE
#define FM_ARG_WHOLE(...)
#endif
#ifndef FM_ARG_BYTES
#define FM_ARG_BYTES(...)
#endif

/* clang-format off */
#define FM_UNLIMITED 1e300     /* the part that takes it has limits of its own */
#define FM_WHOLE_MOST 9007199254740992.0 /* 2^53: what a number of the log keeps */
#define FM_NO_FILES "no viewer and no node writes files of the server or ends it"

/* --- the run --- */
FM_COMMAND_PLAIN(start, START, 1, "start", Start, LOOP, COMMANDER, elsewhere, OFFERED, OFFERED, OFFERED,
         "the service `pause` of std_srvs/SetBool", "continues the run")
FM_COMMAND_PLAIN(stop, STOP, 2, "stop", Stop, LOOP, COMMANDER, elsewhere, OFFERED, OFFERED, OFFERED,
         "the service `pause` of std_srvs/SetBool", "pauses the run")
FM_COMMAND_WITH(step, STEP, 3, "step", Step, LOOP, COMMANDER, elsewhere, OFFERED, OFFERED, OFFERED,
           "the service `step` of std_srvs/Trigger, and the topic `step`", "makes a number of steps, then pauses")
FM_ARG_WHOLE(step, steps, OPTIONAL, 1, 1, 1e9, "number of steps")
FM_COMMAND_END(step)
FM_COMMAND_PLAIN(reset, RESET, 4, "reset", Reset, STEP, COMMANDER, reset, OFFERED, OFFERED, OFFERED,
         "the service `reset` of std_srvs/Trigger", "restarts the scenario from its beginning")
FM_COMMAND_WITH(speed, SPEED, 5, "speed", Speed, LOOP, COMMANDER, elsewhere, OFFERED, OFFERED, OFFERED, OFFERED,
           "sets the pace of the run")
FM_ARG_NUMBER(speed, speed, NEEDED, 1, 0, 1e9, "", "times real time; 0: as fast as possible")
FM_COMMAND_END(speed)
FM_COMMAND_WITH(set, SET, 6, "set", Set, STEP, ALL, parameter, OFFERED, OFFERED, OFFERED, OFFERED,
           "sets a live parameter")
FM_ARG_NAME(set, path, 96, NEEDED, PATH, "path of the parameter")
FM_ARG_NUMBER(set, value, NEEDED, 0, -FM_UNLIMITED, FM_UNLIMITED, "", "SI")
FM_COMMAND_END(set)
FM_COMMAND_WITH(spawn, SPAWN, 7, "spawn", Spawn, STEP, COMMANDER, spawn, OFFERED, OFFERED, OFFERED, OFFERED,
           "adds a vehicle, at rest")
FM_ARG_NAME(spawn, name, 32, NEEDED, VEHICLE, "name of the new vehicle")
FM_ARG_NAME(spawn, like, 96, NEEDED, PLAIN, "vehicle, <type> or model of the scenario")
FM_ARG_VECTOR(spawn, position, OPTIONAL, "north east down", -FM_UNLIMITED, FM_UNLIMITED, "m", "NED")
FM_ARG_VECTOR(spawn, euler, OPTIONAL, "roll pitch heading", -FM_UNLIMITED, FM_UNLIMITED, "rad", "attitude")
FM_ARG_WHOLE(spawn, address, OPTIONAL, 0, 0, 65535, "acoustic address; 0: that of its type, or a free one")
FM_COMMAND_END(spawn)
FM_COMMAND_WITH(remove, REMOVE, 8, "remove", Remove, STEP, COMMANDER, remove, OFFERED, OFFERED, OFFERED, OFFERED,
           "removes a vehicle")
FM_ARG_NAME(remove, name, 32, NEEDED, VEHICLE, "vehicle")
FM_COMMAND_END(remove)
FM_COMMAND_WITH(log, LOG, 9, "log", Log, STEP, COMMANDER, elsewhere, OFFERED, OFFERED, FM_NO_FILES, FM_NO_FILES,
           "records into another file of the server's folder, or ends the log")
FM_ARG_NAME(log, file, 96, OPTIONAL, PLAIN, "file name without '/'; none: the log ends")
FM_COMMAND_END(log)
FM_COMMAND_PLAIN(quit, QUIT, 10, "quit", Quit, LOOP, COMMANDER, elsewhere, OFFERED, OFFERED, FM_NO_FILES, FM_NO_FILES,
         "ends the server")

/* --- actuators, controllers, set points --- */
FM_COMMAND_WITH(order, ORDER, 11, "order", Order, STEP, ALL, owners, OFFERED, OFFERED, OFFERED, OFFERED,
           "orders an actuator and holds it")
FM_ARG_NAME(order, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(order, actuator, 96, NEEDED, PLAIN, "actuator, or group of actuators")
FM_ARG_NUMBER(order, value, NEEDED, 0, -FM_UNLIMITED, FM_UNLIMITED, "", "in the unit of the actuator")
FM_COMMAND_END(order)
FM_COMMAND_WITH(desire, DESIRE, 12, "desire", Desire, STEP, ALL, desire, OFFERED, OFFERED, OFFERED, OFFERED,
           "changes a set point of a controller")
FM_ARG_NAME(desire, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(desire, what, 96, NEEDED, PLAIN, "set point: its name, or PART/NAME")
FM_ARG_NUMBER(desire, value, UNSET, 0, -FM_UNLIMITED, FM_UNLIMITED, "", "SI")
FM_COMMAND_END(desire)
FM_COMMAND_WITH(release, RELEASE, 13, "release", Release, STEP, ALL, owners, OFFERED, OFFERED, OFFERED, OFFERED,
           "gives back an actuator or a set point")
FM_ARG_NAME(release, vehicle, 32, OPTIONAL, VEHICLE, "vehicle; none: everything that the client holds")
FM_ARG_NAME(release, what, 96, OPTIONAL, PLAIN, "actuator, group or set point; none: all of the vehicle")
FM_COMMAND_END(release)
FM_COMMAND_WITH(waypoint, WAYPOINT, 14, "waypoint", Waypoint, STEP, ALL, waypoint, OFFERED, OFFERED, OFFERED, OFFERED,
           "adds a waypoint")
FM_ARG_NAME(waypoint, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_VECTOR(waypoint, position, NEEDED, "north east down", -1e9, 1e9, "m", "NED")
FM_ARG_NUMBER(waypoint, speed, OPTIONAL, -1, -1e9, 1e9, "m/s", "on the way to it; below 0: that of the list")
FM_ARG_NUMBER(waypoint, hold, OPTIONAL, 0, -1e9, 1e9, "s", "time to stay there")
FM_ARG_WHOLE(waypoint, index, OPTIONAL, -1, -1, 1e6, "its place in the list, from 0; -1: the last")
FM_ARG_NAME(waypoint, list, 96, OPTIONAL, PLAIN, "list of waypoints; none: the first")
FM_COMMAND_END(waypoint)
FM_COMMAND_WITH(waypoints_clear, WAYPOINTS_CLEAR, 15, "waypoints-clear", WaypointsClear, STEP, ALL, waypoint, OFFERED,
           OFFERED, OFFERED, OFFERED, "removes all waypoints")
FM_ARG_NAME(waypoints_clear, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(waypoints_clear, list, 96, OPTIONAL, PLAIN, "list of waypoints; none: the first")
FM_COMMAND_END(waypoints_clear)
FM_COMMAND_WITH(push, PUSH, 16, "push", Push, STEP, COMMANDER, force, OFFERED, OFFERED, OFFERED, OFFERED,
           "applies a force from outside until the next one")
FM_ARG_NAME(push, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_VECTOR(push, force, NEEDED, "x y z", -1e12, 1e12, "N", "body axes")
FM_ARG_VECTOR(push, moment, NEEDED, "k m n", -1e12, 1e12, "N m", "about the body origin, body axes")
FM_COMMAND_END(push)
FM_COMMAND_WITH(take, TAKE, 17, "take", Take, STEP, ALL, owners, OFFERED, OFFERED, OFFERED, OFFERED,
           "holds an actuator with its present order; orders of others are refused")
FM_ARG_NAME(take, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(take, actuator, 96, OPTIONAL, PLAIN, "actuator or group; none: all of the vehicle")
FM_COMMAND_END(take)
FM_COMMAND_WITH(engage, ENGAGE, 18, "engage", Engage, STEP, ALL, owners, OFFERED, OFFERED, OFFERED, OFFERED,
           "lets a controller write its actuators again")
FM_ARG_NAME(engage, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(engage, controller, 96, OPTIONAL, PLAIN, "controller; none: all of the vehicle")
FM_COMMAND_END(engage)
FM_COMMAND_WITH(disengage, DISENGAGE, 19, "disengage", Disengage, STEP, ALL, owners, OFFERED, OFFERED, OFFERED, OFFERED,
           "stops a controller writing actuators; they go to the last order of the schedule, or to zero")
FM_ARG_NAME(disengage, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(disengage, controller, 96, OPTIONAL, PLAIN, "controller; none: all of the vehicle")
FM_COMMAND_END(disengage)
FM_COMMAND_WITH(waypoint_move, WAYPOINT_MOVE, 20, "waypoint-move", WaypointMove, STEP, ALL, waypoint, OFFERED, OFFERED,
           OFFERED, OFFERED, "moves a waypoint")
FM_ARG_NAME(waypoint_move, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_WHOLE(waypoint_move, index, NEEDED, 0, 0, 1e6, "its place in the list, from 0")
FM_ARG_VECTOR(waypoint_move, position, NEEDED, "north east down", -1e9, 1e9, "m", "NED")
FM_ARG_NUMBER(waypoint_move, speed, OPTIONAL, -1, -1e9, 1e9, "m/s", "on the way to it; below 0: that of the list")
FM_ARG_NUMBER(waypoint_move, hold, OPTIONAL, 0, -1e9, 1e9, "s", "time to stay there")
FM_ARG_NAME(waypoint_move, list, 96, OPTIONAL, PLAIN, "list of waypoints; none: the first")
FM_COMMAND_END(waypoint_move)
FM_COMMAND_WITH(fly, FLY, 21, "fly", Fly, STEP, ALL, owners, OFFERED, OFFERED, OFFERED, OFFERED,
           "orders an actuator and takes it, after a client that has taken it already; for autopilots")
FM_ARG_NAME(fly, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(fly, actuator, 96, NEEDED, PLAIN, "actuator, or group of actuators")
FM_ARG_NUMBER(fly, value, NEEDED, 0, -FM_UNLIMITED, FM_UNLIMITED, "", "in the unit of the actuator")
FM_COMMAND_END(fly)

/* --- sound, instruments, other simulators --- */
FM_COMMAND_WITH(message, MESSAGE, 22, "message", Message, STEP, ALL, message, OFFERED, OFFERED, OFFERED, OFFERED,
           "sends bytes through a modem")
FM_ARG_NAME(message, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_WHOLE(message, to, NEEDED, 0, 0, 65535, "destination address; 0: broadcast")
FM_ARG_BYTES(message, data, NEEDED, "what is sent")
FM_ARG_NAME(message, modem, 96, OPTIONAL, PLAIN, "modem; none: the first")
FM_COMMAND_END(message)
FM_COMMAND_WITH(emission, EMISSION, 23, "emission", Emission, STEP, ALL, emission, OFFERED, OFFERED, OFFERED, OFFERED,
           "sends a sound from a transducer")
FM_ARG_NAME(emission, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NUMBER(emission, frequency, OPTIONAL, 0, 0, FM_WHOLE_MOST, "Hz", "0: that of the transducer")
FM_ARG_NUMBER(emission, level, OPTIONAL, 0, 0, FM_WHOLE_MOST, "dB", "at 1 m; 0: that of the transducer")
FM_ARG_NUMBER(emission, duration, OPTIONAL, 0, 0, FM_WHOLE_MOST, "s", "0: the pulse of the transducer")
FM_ARG_WHOLE(emission, kind, OPTIONAL, 0, 0, 3, "0: ping, 1: query, 2: reply, 3: data")
FM_ARG_WHOLE(emission, to, OPTIONAL, 0, 0, 65535, "destination address; 0: broadcast")
FM_ARG_WHOLE(emission, code, OPTIONAL, 0, 0, FM_WHOLE_MOST, "agreed between sender and receiver")
FM_ARG_WHOLE(emission, answers, OPTIONAL, 0, 0, FM_WHOLE_MOST, "signal that it replies to; 0: none")
FM_ARG_NUMBER(emission, time, OPTIONAL, 0, -1e9, 1e9, "s", "since the start; in the past: now")
FM_ARG_BYTES(emission, data, OPTIONAL, "what it carries")
FM_ARG_NAME(emission, transducer, 96, OPTIONAL, PLAIN, "transducer; none: the first")
FM_COMMAND_END(emission)
FM_COMMAND_WITH(sense, SENSE, 24, "sense", Sense, STEP, COMMANDER, sense, OFFERED, OFFERED, OFFERED, OFFERED,
           "sets a value of an instrument from outside")
FM_ARG_NAME(sense, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(sense, what, 96, NEEDED, PLAIN, "INSTRUMENT/FIELD, as \"ctd/temperature\" or \"dvl/velocity[1]\"")
FM_ARG_NUMBER(sense, value, UNSET, 0, -FM_UNLIMITED, FM_UNLIMITED, "", "SI")
FM_COMMAND_END(sense)
FM_COMMAND_WITH(sight, SIGHT, 25, "sight", Sight, STEP, COMMANDER, sighting, OFFERED, OFFERED, OFFERED, OFFERED,
           "updates a vehicle of kind foreign, which another simulator moves")
FM_ARG_NAME(sight, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_WHOLE(sight, algorithm, NEEDED, 1, 1, 9, "dead reckoning of DIS: static, FPW, RPW, RVW, FVW, FPB, RPB, RVB, FVB")
FM_ARG_VECTOR(sight, position, NEEDED, "north east down", -1e7, 1e7, "m", "NED")
FM_ARG_VECTOR(sight, euler, OPTIONAL, "roll pitch heading", -1e7, 1e7, "rad", "attitude")
FM_ARG_VECTOR(sight, velocity, OPTIONAL, "vx vy vz", -1e7, 1e7, "m/s", "NED; body axes with algorithms 6 to 9")
FM_ARG_VECTOR(sight, acceleration, OPTIONAL, "ax ay az", -1e7, 1e7, "m/s^2", "of the velocity's numbers")
FM_ARG_VECTOR(sight, rates, OPTIONAL, "p q r", -1e7, 1e7, "rad/s", "body axes")
FM_COMMAND_END(sight)
FM_COMMAND_WITH(fault, FAULT, 26, "fault", Fault, STEP, ALL, fault, OFFERED, OFFERED, OFFERED, OFFERED,
           "makes an actuator or an instrument fail, or repairs it")
FM_ARG_NAME(fault, vehicle, 32, NEEDED, VEHICLE, "vehicle")
FM_ARG_NAME(fault, part, 64, NEEDED, PLAIN, "actuator or instrument")
FM_ARG_NAME(fault, kind, 32, NEEDED, PLAIN, "its parameter: efficiency, stuck, reversed, fault …")
FM_ARG_NUMBER(fault, value, NEEDED, 0, -FM_UNLIMITED, FM_UNLIMITED, "", "SI")
FM_COMMAND_END(fault)

#undef FM_UNLIMITED
#undef FM_WHOLE_MOST
#undef FM_NO_FILES
/* clang-format on */
#undef FM_COMMAND_WITH
#undef FM_COMMAND_PLAIN
#undef FM_COMMAND_END
#undef FM_ARG_NAME
#undef FM_ARG_NUMBER
#undef FM_ARG_VECTOR
#undef FM_ARG_WHOLE
#undef FM_ARG_BYTES
