// Prints the hashes that the probe computes in WebAssembly, one per line: node run.mjs MODULE
import { readFile } from "node:fs/promises";

const [path] = process.argv.slice(2);
const module = await WebAssembly.compile(await readFile(path));
const wanted = WebAssembly.Module.imports(module);
if (wanted.length > 0) {
  const names = wanted.map(({ module, name }) => `${module}.${name}`).join(", ");
  console.error(`the module must not import anything, but imports ${names}`);
  process.exit(1);
}
const { exports } = await WebAssembly.instantiate(module, {});
for (let i = 0; i < exports.probe_count(); i++) {
  const hash = BigInt.asUintN(64, exports.probe_hash(i));
  console.log(hash.toString(16).padStart(16, "0"));
}
