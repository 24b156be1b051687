import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import type { BillingPage, PurchasedCourse } from '../schema.ts'
import { AllReceipts } from './all-receipts.tsx'
import { BillingDay } from './billing-day.tsx'
import { BillingForm } from './billing-form.tsx'
import { cancelCoursePage, cancelCourseQuestion } from './billing-questions.tsx'
import { isGiven } from './is-given.ts'
import { money, statusBadge } from './plan-words.ts'
import { QuestionDialog } from './question-dialog.tsx'
import { ReceiptLink } from './receipt-link.tsx'
import { UpdatePayment } from './update-payment.tsx'

/** The courses that a person bought: what is paid for them, until when, and the receipts. */
export function PurchasedCourses({ billing }: { billing: BillingPage }) {
  const { purchases, hasMorePurchases } = billing
  return (
    <Card id="purchases" className="scroll-mt-24">
      <CardHeader
        title="Your courses"
        actions={
          purchases.length > 0 && (
            <>
              <AllReceipts label="All receipts" />
              {isPaidOn(purchases) && <UpdatePayment label="Update card" size="sm" />}
            </>
          )
        }
      />
      {purchases.length === 0 ? (
        <p className="text-muted">Courses that you buy appear here, with their receipts.</p>
      ) : (
        <ul aria-label="Courses you bought" className="grid divide-y">
          {purchases.map((course) => (
            <Purchase key={course.id} course={course} />
          ))}
        </ul>
      )}
      {hasMorePurchases && (
        <p className="mt-4 text-sm text-pretty text-muted">
          Only the courses that you bought last are listed here. What you paid for the others is
          among <AllReceipts />.
        </p>
      )}
    </Card>
  )
}

/** Where a payment failed, the card is asked for there. */
const isPaidOn = (purchases: PurchasedCourse[]) =>
  purchases.some(isCharged) && !purchases.some(({ status }) => status === 'past_due')

/** Whether another month of it will be paid. */
const isCharged = ({ pricingType, status, amount, cancelAtPeriodEnd }: PurchasedCourse) =>
  pricingType === 'monthly' && status === 'active' && amount > 0 && !cancelAtPeriodEnd

function Purchase({ course }: { course: PurchasedCourse }) {
  const [isCanceling, setIsCanceling] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const title = withoutLightning(course.title)
  const badge = statusBadge(course.status)
  const isLive = course.status !== 'ended'
  const goesOn = course.pricingType === 'monthly' && isLive && !isGiven(course)
  const returnTo = isLive && !course.isMember ? course.courseId : null

  return (
    <li ref={row} tabIndex={-1} className="grid gap-3 py-5 outline-none first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="text-base wrap-anywhere">
              {course.slug === null || returnTo !== null ? (
                title
              ) : (
                <Link
                  to={`/course/${course.slug}${course.isMember ? '/dashboard' : ''}`}
                  className="underline-offset-4 hover:underline"
                >
                  {title}
                </Link>
              )}
            </h3>
            <Badge tone={course.status === 'ended' ? 'neutral' : badge.tone}>{badge.label}</Badge>
          </div>
          <p className="text-sm text-muted">
            <Price course={course} />
          </p>
          {course.status !== 'past_due' && (
            <p className="text-sm text-pretty text-muted">
              <Standing course={course} />
            </p>
          )}
        </div>
        {(goesOn || returnTo !== null) && (
          <div className="flex flex-wrap gap-2">
            {returnTo !== null && (
              <BillingForm
                fields={{ intent: 'return', courseId: returnTo }}
                label="Return to the course"
                busyText="Returning..."
                size="sm"
                aria-label={`Return to the course ${title}`}
                place={row}
              />
            )}
            <BillingForm
              fields={{ intent: 'keep', purchaseId: course.id }}
              label="Keep"
              busyText="Keeping..."
              size="sm"
              aria-label={`Keep ${title}`}
              isOffered={goesOn && course.cancelAtPeriodEnd && course.canRenew}
              place={row}
            />
            {goesOn && !course.cancelAtPeriodEnd && (
              <DialogButton
                page={cancelCoursePage(course.id)}
                onOpen={() => setIsCanceling(true)}
                variant="secondary"
                size="sm"
                aria-label={`Cancel ${title}`}
              >
                Cancel
              </DialogButton>
            )}
          </div>
        )}
      </div>
      {course.status === 'past_due' && (
        <Banner
          tone="warning"
          title="The last payment failed"
          action={<UpdatePayment label="Update card" size="sm" />}
        >
          You still have access. It ends if the payment keeps failing.
        </Banner>
      )}
      {course.receipts.length > 0 && <Receipts course={course} title={title} />}
      {isCanceling && (
        <QuestionDialog
          question={cancelCourseQuestion(course)}
          onClose={() => setIsCanceling(false)}
          place={row}
        />
      )}
    </li>
  )
}

function Price({ course }: { course: PurchasedCourse }) {
  const bought = <BillingDay at={course.boughtAt} />
  if (course.amount === 0) return <>Free with a coupon, since {bought}</>
  const price = money(course.amount, course.currency)
  return course.pricingType === 'monthly' ? (
    <>
      {price}/month, since {bought}
    </>
  ) : (
    <>
      {price}, bought on {bought}
    </>
  )
}

const endings: Record<string, string> = {
  canceled: 'It was canceled.',
  payment_failed: 'It ended because its payment failed.',
  refunded: 'It was paid back.',
  dispute_lost: 'It ended because your bank took the payment back.',
  removed: 'You were removed from this course.',
  course_deleted: 'The course was deleted.',
}

function Standing({ course }: { course: PurchasedCourse }) {
  if (course.status === 'ended') return endings[course.endedReason ?? ''] ?? 'It has ended.'
  const back = course.isMember ? '' : ' You left it, and can come back without paying again.'
  if (course.pricingType === 'one_time') return `Yours for good.${back}`
  if (isGiven(course)) return `Nothing to pay.${back}`
  return (
    <>
      {course.cancelAtPeriodEnd ? 'Canceled: access until ' : 'Next payment on '}
      <BillingDay at={course.currentPeriodEnd} />.
      {course.cancelAtPeriodEnd &&
        !course.canRenew &&
        ' Its creator has left, so no further months can be paid.'}
      {!course.cancelAtPeriodEnd &&
        course.isFree &&
        ' The course is free for new members by now; you go on paying until you cancel.'}
      {back}
    </>
  )
}

function Receipts({ course, title }: { course: PurchasedCourse; title: string }) {
  const { receipts } = course
  const count = course.hasMoreReceipts ? `the newest ${receipts.length}` : receipts.length
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded-control py-1.5 font-semibold">
        {receipts.length === 1 ? 'Receipt' : `Receipts (${count})`}
        <span className="sr-only"> for {title}</span>
      </summary>
      <ul className="grid gap-2 pt-1">
        {receipts.map((receipt) => (
          <li key={receipt.id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <BillingDay at={receipt.paidAt} />
            <span className="tabular-nums">{money(receipt.amount, receipt.currency)}</span>
            {receipt.refunded > 0 && (
              <span className="text-muted tabular-nums">
                {money(receipt.refunded, receipt.currency)} paid back
              </span>
            )}
            <ReceiptLink receipt={receipt} title={title} />
          </li>
        ))}
      </ul>
      {course.hasMoreReceipts && (
        <p className="pt-2 text-muted">
          Older ones are among <AllReceipts />.
        </p>
      )}
    </details>
  )
}
