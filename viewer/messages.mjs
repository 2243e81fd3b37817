// Writes src/messages.ts, the types of all messages, from the table that makes their C structs and schemas. --check writes nothing and
// exits with 1 if the file is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";

const table = "../src/telemetry/message_table.h";
const file = "src/messages.ts";

// As @foxglove/rosmsg2-serialization reads them: [one value, many values].
const types = {
    bool: ["boolean", "boolean[]"],
    byte: ["number", "Uint8Array"],
    int8: ["number", "Int8Array"],
    uint8: ["number", "Uint8Array"],
    uint16: ["number", "Uint16Array"],
    int32: ["number", "Int32Array"],
    uint32: ["number", "Uint32Array"],
    int64: ["bigint", "BigInt64Array"],
    uint64: ["bigint", "BigUint64Array"],
    float32: ["number", "Float32Array"],
    float64: ["number", "Float64Array"],
    string: ["string", "string[]"],
};

/** Messages in their order: { self, package, name, comment, fields, constants }. */
function read(text) {
    const messages = [];
    let comment = "";
    for (const [, words, macro, list] of text.matchAll(/\/\*([\s\S]*?)\*\/|^([A-Z_]+)\((.*)\)$/gm)) {
        if (words) {
            if (messages.length) comment = words; // the first one is about the table
            continue;
        }
        const args = list.split(",").map((word) => word.trim().replace(/^"(.*)"$/, "$1"));
        const message = messages.at(-1);
        if (macro === "MESSAGE")
            messages.push({ self: args[0], package: args[1], name: args[2], comment, fields: [], constants: [] });
        else if (macro === "CONSTANT") message.constants.push({ name: args[2], value: args[3] });
        else if (macro !== "END") message.fields.push({ macro, type: args[1], name: args[2], unit: args.at(-1) });
        comment = "";
    }
    return messages;
}

function typeOf(field, names) {
    const many = !/^(FIELD|NESTED)$/.test(field.macro);
    if (field.macro.startsWith("NESTED")) return names.get(field.type) + (many ? "[]" : "");
    return types[field.type][many ? 1 : 0];
}

function write(messages) {
    const names = new Map(messages.map((m) => [m.self, m.name]));
    const lines = [
        "/** The types of all messages. Written by messages.mjs from src/telemetry/message_table.h; do not edit. */",
    ];
    for (const m of messages) {
        if (m.comment) lines.push("", `/**${m.comment}*/`);
        else lines.push("");
        lines.push(`export interface ${m.name} {`);
        for (const field of m.fields)
            lines.push(`${field.unit ? `/** ${field.unit} */\n` : ""}${field.name}: ${typeOf(field, names)};`);
        lines.push("}");
        if (m.constants.length)
            lines.push(
                `export const ${m.name} = { ${m.constants.map((c) => `${c.name}: ${c.value}`).join(", ")} } as const;`,
            );
    }
    return lines.join("\n");
}

const wanted = await format(write(read(readFileSync(table, "utf8"))), {
    ...(await resolveConfig(file)),
    parser: "typescript",
});
if (!process.argv.includes("--check")) writeFileSync(file, wanted);
else if (readFileSync(file, "utf8") !== wanted) {
    console.error(`viewer/${file} is not what the table of messages says: run "npm run messages --prefix viewer"`);
    process.exit(1);
}
