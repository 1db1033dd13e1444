// Loaded before a program: shifts its clock by SVC_TEST_CLOCK_SHIFT milliseconds, as on a machine whose clock is wrong.
const shift = Number(process.env.SVC_TEST_CLOCK_SHIFT)
const realDate = Date
const now = () => realDate.now() + shift

globalThis.Date = new Proxy(realDate, {
  construct: (target, parts: [], newTarget) =>
    Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
  apply: () => new realDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
