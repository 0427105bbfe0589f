// In a load run the url changes fifty times during five hundred posts, in the everyday form twenty
// times during two hundred.
import '../e2e/service-changes.test.ts';
