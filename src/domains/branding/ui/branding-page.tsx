import { ORPCError, safe } from '@orpc/client'
import { useState } from 'react'
import { data, redirect, useNavigation } from 'react-router'
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
import { changedSince, isBrandingPart, without } from '../rules.ts'
import { brandingPage } from './branding-address.ts'
import {
  type BegunFields,
  type BrandingFields,
  type BrandingProblems,
  begunOf,
  fieldsFrom,
  fieldsOf,
} from './branding-fields.ts'
import { BrandingForm } from './branding-form.tsx'
import { begunIn, brandingIn } from './branding-in.ts'
import { BrandingOffer } from './branding-offer.tsx'

const saveFailed = 'Failed to save the branding. Please try again.'

/** Why it was not saved, and what was typed. */
type BrandingRefusal = {
  /** Null where something was to be removed. */
  fields: BrandingFields | null
  /** With what the form began, as far as it says. */
  begun: BegunFields
  problems: BrandingProblems
  problem: string | null
}
/** What somebody typed, and over what. */
type Typed = Pick<BrandingRefusal, 'fields' | 'begun'>
const nothingTyped: Typed = { fields: null, begun: {} }

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
      status: course.status,
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
  if (gone) return refuse(slug, gone, nothingTyped)
  const courseId = course.id
  const part = form.get('remove')
  if (isBrandingPart(part)) {
    const [unknown, now] = await safe(calls.branding.getBranding({ courseId }))
    if (unknown) return refuse(slug, unknown, nothingTyped)
    const left = without(now.branding, part)
    const [error] = await safe(calls.branding.saveBranding({ courseId, ...left }))
    return error ? refuse(slug, error, nothingTyped) : redirect(`${brandingPage(slug)}?saved`)
  }
  const typed = { fields: fieldsOf(form), begun: begunOf(form) }
  const meant = brandingIn(typed.fields)
  if ('problems' in meant) {
    const refusal: BrandingRefusal = { ...typed, problems: meant.problems, problem: null }
    return data(refusal, { status: 422 })
  }
  const [unknown, stored] = await safe(calls.branding.getBranding({ courseId }))
  if (unknown) return refuse(slug, unknown, typed)
  const branding = changedSince(begunIn(typed.begun), {
    now: stored.branding,
    meant: meant.branding,
  })
  const [error] = await safe(calls.branding.saveBranding({ courseId, ...branding }))
  return error ? refuse(slug, error, typed) : redirect(`${brandingPage(slug)}?saved`)
}

/** Our server's words where it refused. */
function refuse(slug: string, error: unknown, typed: Typed) {
  const known = error instanceof ORPCError && error.status < 500 ? error : null
  if (known?.status === 401) return redirect(`/login?to=${brandingPage(slug)}`)
  const refusal: BrandingRefusal = {
    ...typed,
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
    const typed = form.has('remove')
      ? nothingTyped
      : { fields: fieldsOf(form), begun: begunOf(form) }
    return unreached<BrandingRefusal>({ ...typed, problems: {}, problem: saveFailed })
  })
}

/** For the instructor: how the course looks to everybody else. */
export default function BrandingPage({ loaderData, actionData }: Route.ComponentProps) {
  const { course, isPro, branding, isSaved, at } = loaderData
  const problem = actionData?.problem ?? null
  /** The course whose form differs from what was saved. */
  const [changed, setChanged] = useState<string | null>(null)
  const isChanged = changed === course.id
  const isSending = useNavigation().formData !== undefined
  // Not of what was changed after it.
  usePlainAddress(brandingPage(course.slug), isSaved && isChanged ? 0 : null)
  return (
    <div className="page-width grid grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8">
      <PageHeader
        back={{ to: `/course/${course.slug}/dashboard`, label: 'Back to Course' }}
        title="Branding"
        description={`The look of “${course.title}” and its certificates.`}
      />
      {isSaved && !isChanged && !isSending && !actionData && (
        <Banner
          tone="success"
          title="Saved"
          action={
            <ButtonLink to={`/course/${course.slug}?preview=1`} variant="secondary" size="sm">
              Public page
            </ButtonLink>
          }
        >
          {course.status === 'published'
            ? 'Visitors and members see it from now on.'
            : 'Members see it from now on, and visitors as soon as the course is published.'}
        </Banner>
      )}
      {isPro ? (
        <BrandingForm
          key={course.id}
          course={course}
          stored={{ ...fieldsFrom(branding), ...actionData?.begun }}
          start={actionData?.fields ?? fieldsFrom(branding)}
          problems={actionData?.problems ?? {}}
          problem={problem}
          at={at}
          isSaved={isSaved}
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
