// `npm run test:load` asserts that delayed messages are at most one second late. The everyday run
// asserts only their order and the ends of the timers.
import '../durability/long-life.test.ts';
