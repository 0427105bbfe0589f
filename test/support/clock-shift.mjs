// Loaded by `node --import` before a process of the product: shifts its wall clock by the
// milliseconds that the file CLOCK_SHIFT_FILE holds, also while it runs, as a machine's clock is
// that was set wrongly or is set right. Monotonic clocks go on undisturbed.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT_FILE ?? '';
const realNow = Date.now.bind(Date);
let shiftMs = 0;

function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    // Not written yet, or just being written.
  }
}

look();
setInterval(look, 200).unref();
Date.now = () => realNow() + shiftMs;
// Still the same Date to all who ask for its name, its instances or their constructor.
globalThis.Date = new Proxy(Date, {
  construct: (target, args, by) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, by),
  apply: () => new Date().toString(),
});
Date.prototype.constructor = globalThis.Date;
