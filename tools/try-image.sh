#!/bin/sh
# Runs the image of `npm run image` as examples/standalone/compose.yaml does: nothing can be written but /data and /tmp. It must
# become healthy, find no problem, and end with success after SIGTERM.
set -eu
host=$(docker run --detach --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges svc-api)
trap 'docker logs "$host"; docker rm --force --volumes "$host" > /dev/null' EXIT
health=starting
for _ in $(seq 90); do
  health=$(docker inspect --format '{{.State.Health.Status}}' "$host")
  [ "$health" = starting ] || break
  sleep 1
done
[ "$health" = healthy ]
docker exec "$host" npx svc-api doctor
docker stop --time 15 "$host" > /dev/null
[ "$(docker inspect --format '{{.State.ExitCode}}' "$host")" = 0 ]
