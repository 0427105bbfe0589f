// A load run changes the url fifty times during five hundred posts, the everyday form twenty times
// during two hundred.
import '../e2e/service-changes.test.ts';
