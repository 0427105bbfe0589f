// A load run asserts that delayed messages are at most a second late. The everyday form asserts
// their order and when the timers end.
import '../durability/long-life.test.ts';
