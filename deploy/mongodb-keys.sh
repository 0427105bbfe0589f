#!/bin/sh
# Creates, unless they exist, the secrets of the MongoDB replica set in the volume that its members
# share: the key by which the members recognise each other, and the password of the user `operator`
# as a configuration file of mongodump and mongorestore (docs/deployment.md, "Backups").
set -eu
umask 077

# The name of the file is final only when the content is complete.
[ -s /keys/members ] || {
  head -c 756 /dev/urandom | base64 -w 0 >/keys/members.new
  mv /keys/members.new /keys/members
}
[ -s /keys/operator.yaml ] || {
  password=$(od -An -v -tx1 -N 24 /dev/urandom | tr -d ' \n')
  members=mongodb-1:27017,mongodb-2:27017,mongodb-3:27017
  echo "uri: mongodb://operator:$password@$members/?replicaSet=rs0&authSource=admin" >/keys/operator.new
  mv /keys/operator.new /keys/operator.yaml
}
# The user that mongod runs as.
chown 999:999 /keys /keys/members /keys/operator.yaml
