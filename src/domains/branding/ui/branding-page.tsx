import { ORPCError, safe } from '@orpc/client'
import { useState } from 'react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/branding-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { usePlainAddress } from '../../../web/use-plain-address.ts'
import { unreached } from '../../../web/unreached.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { CourseProblem } from '../../courses/ui/course-question.tsx'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { isBrandingPart, without } from '../rules.ts'
import { brandingPage } from './branding-address.ts'
import {
  type BrandingFields,
  type BrandingProblems,
  fieldsFrom,
  fieldsOf,
} from './branding-fields.ts'
import { BrandingForm } from './branding-form.tsx'
import { brandingIn } from './branding-in.ts'
import { BrandingOffer } from './branding-offer.tsx'

const saveFailed = 'Failed to save the branding. Please try again.'

/** Why it was not saved, and what was typed. */
type BrandingRefusal = {
  /** Null where something was to be removed. */
  fields: BrandingFields | null
  problems: BrandingProblems
  problem: string | null
}

export const meta = () => pageMeta('Branding', 'Color, logo, cover and certificate of a course.')

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const api = context.get(pageApi)
  const course = await api.courses.getCourseDashboard({ slug }).catch(toPublicPage(slug))
  if (course.standing !== 'instructor') throw redirect(`/course/${course.slug}/dashboard`)
  if (course.slug !== slug) throw redirect(brandingPage(course.slug) + url.search)
  const { isPro, branding } = await api.branding.getBranding({ courseId: course.id })
  return {
    course: {
      id: course.id,
      slug: course.slug,
      title: withoutLightning(course.title),
      creatorName: course.instructor.name,
    },
    isPro,
    branding,
    isSaved: url.searchParams.has('saved'),
    at: new Date().toISOString(),
  }
}

/** Saving, and removing one part, as plain forms. */
export async function action({ request, context, params: { slug } }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const calls = context.get(formApi)
  const [gone, course] = await safe(calls.courses.getCourseDashboard({ slug }))
  if (gone) return refuse(slug, gone, null)
  const courseId = course.id
  const part = form.get('remove')
  if (isBrandingPart(part)) {
    const [unknown, now] = await safe(calls.branding.getBranding({ courseId }))
    if (unknown) return refuse(slug, unknown, null)
    const left = without(now.branding, part)
    const [error] = await safe(calls.branding.saveBranding({ courseId, ...left }))
    return error ? refuse(slug, error, null) : redirect(`${brandingPage(slug)}?saved`)
  }
  const fields = fieldsOf(form)
  const meant = brandingIn(fields)
  if ('problems' in meant) {
    const refusal: BrandingRefusal = { fields, problems: meant.problems, problem: null }
    return data(refusal, { status: 422 })
  }
  const [error] = await safe(calls.branding.saveBranding({ courseId, ...meant.branding }))
  return error ? refuse(slug, error, fields) : redirect(`${brandingPage(slug)}?saved`)
}

/** Our server's words where it refused. */
function refuse(slug: string, error: unknown, fields: BrandingFields | null) {
  const known = error instanceof ORPCError && error.status < 500 ? error : null
  if (known?.status === 401) return redirect(`/login?to=${brandingPage(slug)}`)
  const refusal: BrandingRefusal = {
    fields,
    problems: {},
    problem: known?.message ?? saveFailed,
  }
  return data(refusal, { status: known?.status ?? 500 })
}

/** Without a connection the page stays, and says so. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await formDataOf(request.clone())
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    const fields = form.has('remove') ? null : fieldsOf(form)
    return unreached<BrandingRefusal>({ fields, problems: {}, problem: saveFailed })
  })
}

/** For the instructor: how the course looks to everybody else. */
export default function BrandingPage({ loaderData, actionData }: Route.ComponentProps) {
  const { course, isPro, branding, isSaved, at } = loaderData
  const problem = actionData?.problem ?? null
  /** The course whose form differs from what was saved. */
  const [changed, setChanged] = useState<string | null>(null)
  const isChanged = changed === course.id
  // Not of what was changed after it.
  usePlainAddress(brandingPage(course.slug), isSaved && isChanged ? 0 : null)
  return (
    <div className="page-width grid grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8">
      <PageHeader
        back={{ to: `/course/${course.slug}/dashboard`, label: 'Back to Course' }}
        title="Branding"
        description={`The look of “${course.title}” and its certificates.`}
      />
      {isSaved && !isChanged && !actionData && (
        <Banner
          tone="success"
          title="Saved"
          action={
            <ButtonLink to={`/course/${course.slug}?preview=1`} variant="secondary" size="sm">
              Public page
            </ButtonLink>
          }
        >
          Visitors and members see it from now on.
        </Banner>
      )}
      {isPro ? (
        <BrandingForm
          key={course.id}
          course={course}
          start={actionData?.fields ?? fieldsFrom(branding)}
          problems={actionData?.problems ?? {}}
          problem={problem}
          at={at}
          isChanged={isChanged || actionData !== undefined}
          onChanged={(isIt) => setChanged(isIt ? course.id : null)}
        />
      ) : (
        <BrandingOffer course={course} branding={branding} problem={problem} at={at} />
      )}
    </div>
  )
}

export function ErrorBoundary() {
  return <CourseProblem />
}
