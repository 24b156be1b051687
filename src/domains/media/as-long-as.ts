/** Milliseconds for which an answer goes on without a question. */
const askEvery = 15_000

/** Known to the web server as an answer that was cut, which it does not make a fuss of. */
const cut = () =>
  Object.assign(new Error('who gets this may not have more of it'), {
    code: 'ERR_STREAM_PREMATURE_CLOSE',
  })

/** One answer can be a whole film, and take as long. It is cut when whoever gets it may not go on. */
export function asLongAs(
  body: ReadableStream<Uint8Array>,
  mayGoOn: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  // Not by the clock: set back by a day, it would ask nobody for a day.
  let askedAt = performance.now()
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(bytes, controller) {
        if (performance.now() - askedAt >= askEvery) {
          askedAt = performance.now()
          if (!(await mayGoOn())) return controller.error(cut())
        }
        return controller.enqueue(bytes)
      },
    }),
  )
}
