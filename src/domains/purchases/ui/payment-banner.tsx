import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { client } from '../../../web/api-client.ts'
import { safe } from '../../../web/call-outcome.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { usePlainAddress } from '../../../web/use-plain-address.ts'
import type { CoursePage } from '../../courses/schema.ts'
import { coursePath, type Offer } from './offer.ts'
import type { PaymentReturn } from './payment-return.ts'

/** Milliseconds that the banner stays (spec 2, section 2). */
const shown = 5000

/** Seconds until it is asked again; the last one repeats. */
const pauses = [1, 2, 3, 5, 8, 13]

type PaymentBannerProps = {
  course: CoursePage
  payment: PaymentReturn
  offer: Offer | null
  /** The code of the invitation by which the person comes. */
  invitation: string | null
}

/** What became of the payment, on the page that it returns to. */
export function PaymentBanner({ course, payment, offer, invitation }: PaymentBannerProps) {
  const here = coursePath(course.slug, { coupon: offer?.code, invitation })
  switch (payment) {
    case 'open':
      return <Confirming course={course} />
    case 'paid':
      return (
        <ThenPlain to={here}>
          <Banner
            tone="success"
            title="Payment Successful!"
            action={
              <ButtonLink to={`/course/${course.slug}/dashboard`} variant="secondary" size="sm">
                Go to Course
              </ButtonLink>
            }
          >
            You are in the course. Your receipt is on your{' '}
            <Link to="/billing#purchases" className="underline underline-offset-4">
              billing page
            </Link>
            .
          </Banner>
        </ThenPlain>
      )
    case 'canceled':
      return (
        <ThenPlain to={here}>
          <Banner tone="warning" title="Payment Canceled">
            Your payment was canceled. You can try again when you&apos;re ready.
          </Banner>
        </ThenPlain>
      )
    case 'expired':
      return (
        <Banner tone="warning" title="Payment not finished">
          The payment page was open for too long and has closed. Nothing was paid. You can try
          again.
        </Banner>
      )
    case 'refused':
      return (
        <Banner tone="danger" title="Your payment is on its way back">
          You had bought this course already, so all of it goes back to your card. That takes 5 to
          10 days.
        </Banner>
      )
  }
}

/** After a while the address is the course's own again; members are led on by it. */
function ThenPlain({ to, children }: { to: string; children: ReactNode }) {
  usePlainAddress(to, shown)
  return children
}

/** Turns by itself: told by the server, and asking now and then where nobody tells. */
function Confirming({ course }: { course: CoursePage }) {
  const { revalidate } = useRevalidator()
  const [asked, setAsked] = useState(0)
  useLiveEvents({
    onEvent: (event) => {
      const isAbout = event.type === 'checkout' || event.type === 'purchase'
      if (isAbout && event.courseId === course.id) void revalidate()
    },
    onGap: () => void revalidate(),
  })

  const ask = useEffectEvent(async () => {
    const [, state] = await safe(client.purchases.getCourseCheckout({ slug: course.slug }))
    if (state && state.status !== 'open') await revalidate()
    setAsked(asked + 1)
  })
  useEffect(() => {
    const timer = setTimeout(() => void ask(), (pauses[asked] ?? pauses.at(-1)!) * 1000)
    return () => clearTimeout(timer)
  }, [asked])

  return (
    <Banner
      title={
        <span className="inline-flex items-center gap-2">
          <Spinner />
          Confirming your payment…
        </span>
      }
    >
      {asked < pauses.length ? (
        <>
          This takes a few seconds.{' '}
          <noscript>
            <a href="?success=true" className="underline underline-offset-4">
              Look again
            </a>
          </noscript>
        </>
      ) : (
        <>
          This takes longer than usual. You can close this page: when your payment is confirmed you
          are in the course, and we tell you under the bell.{' '}
          <Link to={`/course/${course.slug}`} className="underline underline-offset-4">
            I have not paid yet
          </Link>
        </>
      )}
    </Banner>
  )
}
