#!/bin/sh
# Waits for Temporal and creates the namespace if it is missing. Safe to repeat. Temporal keeps
# closed workflows for three days; their data are in MongoDB.
set -eu
until temporal operator cluster health --address "$TEMPORAL_ADDRESS"; do sleep 2; done
temporal operator namespace describe --address "$TEMPORAL_ADDRESS" -n "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --address "$TEMPORAL_ADDRESS" -n "$TEMPORAL_NAMESPACE" --retention 72h
