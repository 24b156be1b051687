import { useEffect, useState } from 'react'
import { Link, useLocation, useRevalidator, useSearchParams } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { usePlainAddress } from '../../../web/use-plain-address.ts'
import { brand } from '../../site/brand.ts'
import type { BillingPage } from '../schema.ts'

/** Milliseconds for which a notice shows (spec 2, section 9). */
const noticeTime = 5000
/** Milliseconds between two looks while a payment is being confirmed, and how many until that is long. */
const lookEvery = 2000
const looks = 30

type Paid = 'paid' | 'waiting' | 'expired' | 'refused'
type Return = Paid | 'canceled' | 'otherCard' | null

const saysPaid = (query: URLSearchParams) => query.get('success') === 'true'

function paidOf({ plan, checkout }: BillingPage): Paid | null {
  if (checkout === 'refused') return 'refused'
  if (plan === 'pro') return 'paid'
  if (checkout === 'open') return 'waiting'
  return checkout === 'expired' ? 'expired' : null
}

function returnOf(query: URLSearchParams, billing: BillingPage): Return {
  if (saysPaid(query)) return paidOf(billing)
  if (query.get('canceled') === 'true') return 'canceled'
  return query.get('card') === 'updated' ? 'otherCard' : null
}

/** Somebody else's way back, or that of a payment long ago: there is nothing to say of it. */
export const isOfNoPayment = (query: URLSearchParams, billing: BillingPage) =>
  saysPaid(query) && paidOf(billing) === null

/** A payment is being confirmed: Pro is not offered again meanwhile. */
export function useIsConfirming(billing: BillingPage): boolean {
  const [query] = useSearchParams()
  return returnOf(query, billing) === 'waiting'
}

/** What came of the provider's page, for payments or for cards, that one returns from. */
export function ReturnBanner({ billing }: { billing: BillingPage }) {
  const [query] = useSearchParams()
  const { pathname, search, hash } = useLocation()
  const outcome = returnOf(query, billing)
  const goes = outcome === 'paid' || outcome === 'canceled' || outcome === 'otherCard'
  usePlainAddress({ pathname, hash }, goes ? noticeTime : null)

  if (outcome === 'paid') {
    return (
      <Banner tone="success" title="Payment Successful!">
        Your subscription has been activated. Welcome to {brand.name} Pro!
      </Banner>
    )
  }
  if (outcome === 'canceled') {
    return (
      <Banner tone="warning" title="Payment Canceled">
        Your payment was canceled. You can try again anytime.
      </Banner>
    )
  }
  if (outcome === 'expired') {
    return (
      <Banner tone="warning" title="Payment not finished">
        The payment page has closed. Nothing was paid. You can try again.
      </Banner>
    )
  }
  if (outcome === 'refused') {
    return (
      <Banner tone="danger" title="Your payment is on its way back">
        It was not needed, so all of it goes back to you. With a card that takes 5 to 10 days.
      </Banner>
    )
  }
  if (outcome === 'otherCard') {
    return <Banner tone="success">Payment method updated successfully!</Banner>
  }
  return outcome === 'waiting' ? <Waiting again={pathname + search} /> : null
}

/** The payment provider has not told us yet: the page asks, and is told. */
function Waiting({ again }: { again: string }) {
  const { revalidate } = useRevalidator()
  const [looked, setLooked] = useState(0)
  const isLong = looked >= looks

  useEffect(() => {
    if (isLong) return
    const timer = setTimeout(() => {
      setLooked(looked + 1)
      void revalidate()
    }, lookEvery)
    return () => clearTimeout(timer)
  }, [isLong, looked, revalidate])

  return (
    <Banner
      title="Your payment is being confirmed"
      action={
        isLong && (
          <Link
            to={again}
            reloadDocument
            className="font-semibold text-primary underline underline-offset-4"
          >
            Look again
          </Link>
        )
      }
    >
      {isLong
        ? 'This takes longer than usual. If you paid, nothing is lost: you get Pro as soon as we hear of it, and we tell you under the bell.'
        : 'This page updates by itself as soon as you are on Pro.'}
      <noscript>
        {' '}
        <a href={again}>Look again</a>
      </noscript>
    </Banner>
  )
}
