// The clock of this process is set: by so many milliseconds for whatever asks for the time. PostgreSQL keeps its own.
const Real = globalThis.Date

export function setClock(ahead: number): void {
  if (ahead === 0) {
    globalThis.Date = Real
    return
  }
  globalThis.Date = class extends Real {
    constructor(...given: [] | [number]) {
      if (given.length === 0) super(Real.now() + ahead)
      else super(...given)
    }
    static override now() {
      return Real.now() + ahead
    }
    /** Those that were made before the clock was set are dates as well. */
    static [Symbol.hasInstance](value: unknown) {
      return Object.prototype.toString.call(value) === '[object Date]'
    }
  } as DateConstructor
}
