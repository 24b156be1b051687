// What happens while something is being read may be missing from the answer, which was made before it.

export type Readings = ReturnType<typeof createReadings>
/** Where `take` says false, another view has come, and what happened was not in that one. */
export type EndReading = (take: () => unknown) => void

export function createReadings() {
  const underWay = new Set<Set<() => void>>()

  /** `show` shows what happened: now, and once more after each answer that may be older. */
  function happened(show: () => void): void {
    show()
    for (const news of underWay) {
      // The last of what is there.
      news.delete(show)
      news.add(show)
    }
  }

  /** For what is asked for elsewhere: call what is answered once, with what shows the answer. */
  function begin(): EndReading {
    const news = new Set<() => void>()
    underWay.add(news)
    return function end(take) {
      // What the answer tells can be news to other readings, and is older than this one's news there too.
      underWay.delete(news)
      if (take() !== false) for (const show of news) happened(show)
    }
  }

  /** `take` shows the answer. */
  async function read<Answer>(
    ask: Promise<Answer>,
    take: (answer: Answer) => unknown,
  ): Promise<Answer> {
    const end = begin()
    try {
      const answer = await ask
      end(() => take(answer))
      return answer
    } catch (error) {
      end(() => false)
      throw error
    }
  }

  return { happened, begin, read }
}
