// `npm run test:load` asserts that messages are at most five seconds late (docs/deployment.md). The
// everyday run asserts only counts and order.
import '../durability/lost-temporal.test.ts';
