import { useEffect, useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import type { PaymentEvent } from '../schema.ts'

/** Milliseconds from one look to the next. */
const lookEvery = 700

/** What a replay comes to: it is done by a job, mostly within a second. */
export function useReplayed(started: PaymentEvent | null): PaymentEvent | null {
  const [latest, setLatest] = useState(started)
  const [seen, setSeen] = useState(started)
  if (seen !== started) {
    setSeen(started)
    setLatest(started)
  }
  const waitingId = latest?.status === 'waiting' ? latest.id : null
  useEffect(() => {
    if (waitingId === null) return undefined
    let isWanted = true
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      const [error, page] = await safe(client.payments.getPaymentEvents({ search: waitingId }))
      if (!isWanted) return
      const now = error ? undefined : page.events.find(({ id }) => id === waitingId)
      if (now) setLatest(now)
      if (now?.status === 'waiting' || !now) timer = setTimeout(() => void look(), lookEvery)
    }
    timer = setTimeout(() => void look(), lookEvery)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [waitingId])
  return latest
}

const words = {
  waiting: { tone: 'info', title: 'Being replayed…' },
  applied: { tone: 'success', title: 'Replayed' },
  ignored: { tone: 'success', title: 'Replayed: there was nothing to do' },
  failed: { tone: 'danger', title: 'Replayed, and it failed again' },
} as const

export function ReplayedBanner({ id, status, outcome }: PaymentEvent) {
  return (
    <Banner {...words[status]}>
      {outcome && <span className="block wrap-anywhere">{outcome}</span>}
      <span className="font-mono text-sm wrap-anywhere">{id}</span>
    </Banner>
  )
}
