import type { ReactNode, SubmitEvent } from 'react'
import { useFetcher } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import { BillingDay } from '../../billing/ui/billing-day.tsx'
import { priceLabel, withoutLightning } from '../../courses/rules.ts'
import type { CourseDashboard } from '../../courses/schema.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import type { CoursePurchase } from '../../purchases/schema.ts'
import { leavePage } from './leave-address.ts'

/** Why it did not work. */
export type LeaveRefusal = { problem: string }

type LeaveDialogProps = { course: CourseDashboard; onClose: () => void }

/** Says what goes and what stays. */
export function LeaveDialog({ course, onClose }: LeaveDialogProps) {
  const fetcher = useFetcher<LeaveRefusal>()
  useActionCode(leavePage(course.slug))
  const busy = fetcher.state !== 'idle'
  function leave(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // The page must know that it is being left before it is told that the membership has ended.
    void fetcher.submit(event.currentTarget, { flushSync: true })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      role="alertdialog"
      locked={busy}
      title={<span className="wrap-anywhere">{leaveTitle(course)}</span>}
    >
      <WhatLeavingMeans course={course} />
      <fetcher.Form
        method="post"
        action={leavePage(course.slug)}
        onSubmit={leave}
        className="grid gap-5"
      >
        <LeaveFields
          course={course}
          busy={busy}
          problem={busy ? undefined : fetcher.data?.problem}
          stay={
            <Button variant="secondary" disabled={busy} onClick={onClose}>
              Stay
            </Button>
          }
        />
      </fetcher.Form>
    </Dialog>
  )
}

export const leaveTitle = (course: CourseDashboard) => `Leave “${withoutLightning(course.title)}”?`

/** What goes, what stays, and whether there is a way back. */
export function WhatLeavingMeans({ course }: { course: CourseDashboard }) {
  return (
    <ul className="grid list-disc gap-2 pl-5 text-pretty text-muted marker:text-edge">
      <li>Its lessons are closed to you, and it leaves your courses.</li>
      {course.completedCount > 0 && (
        <li>
          What you completed stays remembered ({countLabel(course.completedCount, 'lesson')}): it is
          there when you join again.
        </li>
      )}
      <li>A review that you wrote stays.</li>
      {course.purchase && (
        <li>
          <WhatIsPaid purchase={course.purchase} />
        </li>
      )}
      <li>{wayBack(course)}</li>
    </ul>
  )
}

function WhatIsPaid({ purchase }: { purchase: CoursePurchase }) {
  const { pricingType, amount, status, currentPeriodEnd, mayBeUnpaid } = purchase
  if (amount === 0) return 'You have it by a coupon for everything: coming back costs nothing.'
  if (pricingType === 'one_time') {
    return 'What you paid is not paid back. The course stays yours: coming back costs nothing.'
  }
  if (status === 'past_due') {
    return 'Your last monthly payment is missing, so what you bought ends at once. Nothing more is charged.'
  }
  if (mayBeUnpaid) {
    return 'A new month is beginning. While it is not paid, what you bought ends at once, and nothing more is charged.'
  }
  return (
    <>
      Your monthly payment is canceled and ends on <BillingDay at={currentPeriodEnd} />. What you
      paid is not paid back; until then you can come back without paying again.
    </>
  )
}

function wayBack(course: CourseDashboard): string {
  const { purchase } = course
  if (!purchase) return capital(wayBackForAll(course))
  // Who has bought it is let in whatever the course asks of others.
  const place = course.status === 'draft' ? 'your billing page' : 'its public page'
  const isMonthly = purchase.pricingType === 'monthly'
  if (isMonthly && purchase.status === 'past_due') return capital(wayBackForAll(course))
  return isMonthly && purchase.mayBeUnpaid
    ? `If the month is paid, you find it on ${place}. If what you bought has ended, ${wayBackForAll(course)}`
    : `You find it on ${place}.`
}

/** For who has not bought it; the end of a sentence. */
function wayBackForAll(course: CourseDashboard): string {
  if (course.status === 'draft') {
    return 'nobody can join this course at the moment, so there is no way back.'
  }
  const isFree = course.pricingType === 'free'
  const price = priceLabel(course, 'month')
  if (course.applicationRequired) {
    const again = isFree ? 'join again' : `buy it for ${price}`
    return `you can ${again} if the instructor approved your application; else you would have to apply.`
  }
  return isFree
    ? 'you can join again at any time, as long as there is room.'
    : `to come back you would have to buy it: at the moment it costs ${price}.`
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

type LeaveFieldsProps = {
  course: CourseDashboard
  busy: boolean
  problem: string | undefined
  /** The way out. */
  stay: ReactNode
}

export function LeaveFields({ course, busy, problem, stay }: LeaveFieldsProps) {
  return (
    <>
      <input type="hidden" name="courseId" value={course.id} />
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {stay}
        <Button type="submit" variant="danger" busy={busy} busyText="Leaving...">
          Leave Course
        </Button>
      </div>
    </>
  )
}
