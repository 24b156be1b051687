import { useEffect, useEffectEvent, useState } from 'react'

/**
 * What a call answers: asked when the part is there, unless the page came with the `first` answer; when it is
 * about something else (`about`); and again with `again`, during which the earlier answer stays.
 */
export function useAnswer<Answer>(
  about: string,
  ask: () => Promise<Answer>,
  first: Answer | null = null,
) {
  const [told, setTold] = useState<{ about: string; answer: Answer } | null>(
    first && { about, answer: first },
  )
  const [failed, setFailed] = useState<string | null>(null)
  const [times, setTimes] = useState(1)
  const asking = `${about} ${times}`
  const askNow = useEffectEvent(ask)
  const isTold = useEffectEvent(() => times === 1 && told?.about === about)

  useEffect(() => {
    if (isTold()) return
    let isHere = true
    askNow().then(
      (answer) => isHere && setTold({ about, answer }),
      () => isHere && setFailed(asking),
    )
    return () => {
      isHere = false
    }
  }, [about, asking])

  return {
    answer: told?.about === about ? told.answer : null,
    hasFailed: failed === asking,
    again: () => setTimes((before) => before + 1),
  }
}
