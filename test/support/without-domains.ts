/**
 * Loaded before a test file: spares it the domains of tap, which follow each promise of the process by async hooks, a quarter
 * of what the tests cost. They only name the subtest that an error outside all promises belongs to; such an error ends the
 * process now, and its file fails with the stack.
 */
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const { createHook } = hooks
hooks.createHook = () => {
  const hook = { enable: () => hook, disable: () => hook }
  return hook
}
syncBuiltinESMExports()
const { Domain } = await import('async-hook-domain')
// The first one creates the hook for all, which lasts as long as there is one.
new Domain((error: unknown) => {
  throw error
})
hooks.createHook = createHook
syncBuiltinESMExports()
