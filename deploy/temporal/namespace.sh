#!/bin/sh
# Waits for Temporal and makes the namespace if it is not there. Safe to repeat. Closed conversations and the runs that one has left behind
# are kept for three days, for operators: what they say is in MongoDB.
set -eu
until temporal operator cluster health --address "$TEMPORAL_ADDRESS"; do sleep 2; done
temporal operator namespace describe --address "$TEMPORAL_ADDRESS" -n "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --address "$TEMPORAL_ADDRESS" -n "$TEMPORAL_NAMESPACE" --retention 72h
