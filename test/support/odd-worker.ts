// A worker that dies, loops or allocates memory on demand.
import { parentPort } from 'node:worker_threads'

parentPort?.on('message', ({ check, bytes }: { check: string; bytes: Uint8Array }) => {
  if (check === 'exit') process.exit(1)
  if (check === 'throw') {
    parentPort?.postMessage({ begun: true })
    throw new Error('a fault')
  }
  if (check === 'loop') for (;;) Math.random()
  if (check === 'memory') for (const eaten: unknown[] = []; ; ) eaten.push(Array(1e6).fill(eaten.length))
  if (check === 'begin and loop') {
    parentPort?.postMessage({ begun: true })
    for (;;) Math.random()
  }
  if (check === 'break') parentPort?.postMessage({ broken: new Error('a fault').stack })
  else if (check === 'fail') parentPort?.postMessage({ failed: 'a fault of ours' })
  else parentPort?.postMessage({ result: bytes.length })
})
