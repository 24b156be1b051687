// What happens while something is being read may be missing from the answer, which was made before it.

export type Readings = ReturnType<typeof createReadings>

export function createReadings() {
  const underWay = new Set<(() => void)[]>()
  return {
    /** `show` shows what happened: now, and once more after each answer that may be older. */
    happened(show: () => void): void {
      show()
      for (const news of underWay) news.push(show)
    },

    /** `take` shows the answer. Where it says false, another view has come, and what happened was not in that one. */
    async read<Answer>(ask: Promise<Answer>, take: (answer: Answer) => unknown): Promise<Answer> {
      const news: (() => void)[] = []
      underWay.add(news)
      try {
        const answer = await ask
        if (take(answer) !== false) for (const show of news) show()
        return answer
      } finally {
        underWay.delete(news)
      }
    },
  }
}
