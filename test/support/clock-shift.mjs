// Loaded by `node --import` before a process of the product. Shifts the wall clock of the process
// by the milliseconds in the file CLOCK_SHIFT_FILE, which may change at runtime. Simulates a
// machine whose clock is wrong or is corrected. Monotonic clocks are not affected.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT_FILE ?? '';
const realNow = Date.now.bind(Date);
let shiftMs = 0;

function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // The file is missing or incomplete.
  }
}

look();
setInterval(look, 200).unref();
Date.now = () => realNow() + shiftMs;
// A proxy keeps the name, the instances and the constructor of Date intact.
globalThis.Date = new Proxy(Date, {
  construct: (target, args, by) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, by),
  apply: () => new Date().toString(),
});
Date.prototype.constructor = globalThis.Date;
