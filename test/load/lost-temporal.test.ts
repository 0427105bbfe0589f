// A load run asserts that messages are at most five seconds late (docs/deployment.md). The everyday
// form asserts counts and order.
import '../durability/lost-temporal.test.ts';
