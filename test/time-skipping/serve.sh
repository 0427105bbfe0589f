#!/bin/sh
# Starts Temporal's test server, whose clock can be moved. PARLANCE_TEST_SERVER has its libraries.
exec java -cp "$PARLANCE_TEST_SERVER/*" io.temporal.testserver.TestServer "$@"
