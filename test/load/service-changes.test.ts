// `npm run test:load` changes the url 50 times during 500 posts. The everyday run changes it 20
// times during 200 posts.
import '../e2e/service-changes.test.ts';
