import { ORPCError, safe } from '@orpc/client'
import { Tag } from 'lucide-react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/coupons-page'
import { Banner } from '../../../ui/banner.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi, shellContext } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { CourseProblem } from '../../courses/ui/course-question.tsx'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { CopyLink } from '../../invitations/ui/copy-link.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { couponLimits } from '../rules.ts'
import { emptyCoupon, fieldsOf } from './coupon-form-fields.ts'
import { CouponForm, type CouponRefusal } from './coupon-form.tsx'
import { couponIn } from './coupon-in.ts'
import { CouponList, shareLink } from './coupon-list.tsx'
import { couponsPage } from './coupons-address.ts'

const createFailed = 'Failed to create the coupon. Please try again.'
const switchFailed = 'Failed to change the coupon. Please try again.'

export const meta = () => pageMeta('Coupons', 'Codes that make a course less expensive.')

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const course = await api.courses.getCourseDashboard({ slug }).catch(toPublicPage(slug))
  if (course.standing !== 'instructor') throw redirect(`/course/${course.slug}/dashboard`)
  if (course.slug !== slug) throw redirect(couponsPage(course.slug) + url.search)
  const { coupons } = await api.purchases.getCoupons({ courseId: course.id })
  const { id, title, pricingType, priceAmount } = course
  return {
    course: { id, slug: course.slug, title, pricingType, priceAmount },
    coupons,
    made: coupons.find(({ code }) => code === url.searchParams.get('made')) ?? null,
    at: new Date(),
    appUrl: context.get(shellContext).appUrl,
  }
}

/** Making a coupon, and switching one off or on, as plain forms. */
export async function action({ request, context, params: { slug } }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const { purchases } = context.get(formApi)
  const courseId = String(form.get('courseId'))
  if (form.get('intent') === 'switch') {
    const couponId = String(form.get('couponId'))
    const isActive = form.get('isActive') === 'true'
    const [error] = await safe(purchases.updateCoupon({ courseId, couponId, isActive }))
    return error
      ? refuse(slug, error, switchFailed, { intent: 'switch' })
      : redirect(couponsPage(slug))
  }
  const fields = fieldsOf(form)
  const meant = couponIn(courseId, fields)
  if ('problems' in meant) return data(refusal({ ...meant, fields }), { status: 422 })
  const [error, made] = await safe(purchases.createCoupon(meant.coupon))
  return error
    ? refuse(slug, error, createFailed, { fields })
    : redirect(`${couponsPage(slug)}?made=${made.code}`)
}

const refusal = (given: Partial<CouponRefusal>): CouponRefusal => ({
  intent: 'create',
  fields: emptyCoupon,
  problems: {},
  problem: null,
  ...given,
})

/** Our server's words where it refused. */
function refuse(
  slug: string,
  error: unknown,
  fallback: string,
  given: Partial<CouponRefusal> = {},
) {
  const known = error instanceof ORPCError && error.status < 500 ? error : null
  if (known?.status === 401) return redirect(`/login?to=${couponsPage(slug)}`)
  const problem = known?.message ?? fallback
  return data(
    refusal(
      known?.code === 'CODE_TAKEN'
        ? { ...given, problems: { code: problem } }
        : { ...given, problem },
    ),
    { status: known?.status ?? 500 },
  )
}

/** Without a connection the page stays, and says so. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await formDataOf(request.clone())
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    const isSwitch = form.get('intent') === 'switch'
    return unreached(
      refusal(
        isSwitch
          ? { intent: 'switch', problem: switchFailed }
          : { problem: createFailed, fields: fieldsOf(form) },
      ),
    )
  })
}

/** What is taken may be one's own, made by an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

/** For the instructor: codes that make the course less expensive, and their links. */
export default function CouponsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { course, coupons, made, at, appUrl } = loaderData
  const isSwitch = actionData?.intent === 'switch'
  const isFull = coupons.length >= couponLimits.perCourse
  return (
    <div className="page-width grid grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8">
      <PageHeader
        back={{ to: `/course/${course.slug}/dashboard`, label: 'Back to Course' }}
        title="Coupons"
        description={`Codes that make “${withoutLightning(course.title)}” cheaper for the people you give them to.`}
      />
      {course.pricingType === 'free' && (
        <Banner tone="warning">This course is free. Coupons work when it has a price.</Banner>
      )}
      {made && !actionData && (
        <Banner
          tone="success"
          title={`The coupon ${made.code} is ready`}
          action={<CopyLink url={shareLink(appUrl, course.slug, made.code)} about={made.code} />}
        >
          Give away the code, or its link: who follows it sees the new price at once.
        </Banner>
      )}
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
        {coupons.length === 0 ? (
          <EmptyState
            icon={Tag}
            title="No coupons yet"
            description="Make one for the people who helped you, for a launch, or for a whole class: up to 100% off."
          />
        ) : (
          <div className="grid grid-cols-1 gap-4">
            {isSwitch && <Banner tone="danger">{actionData.problem}</Banner>}
            <CouponList course={course} coupons={coupons} at={at} appUrl={appUrl} />
          </div>
        )}
        <div className="max-lg:order-first">
          {isFull ? (
            <Banner tone="warning">
              This course has {couponLimits.perCourse} coupons, which is the most it can have. Use
              one of them again: switch it on.
            </Banner>
          ) : (
            <CouponForm
              // Another key makes the fields anew, and so empties them: once the coupon is made.
              key={`${course.id} ${coupons.length}`}
              courseId={course.id}
              refusal={isSwitch ? undefined : actionData}
            />
          )}
        </div>
      </div>
    </div>
  )
}

export function ErrorBoundary() {
  return <CourseProblem />
}
