import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { courseSuspensionPage } from '../suspension-pages.ts'
import type { OwnSuspension } from '../schema.ts'

/** On the creator's pages of a course that administrators stopped. */
export function CourseSuspendedBanner({
  slug,
  suspension,
}: {
  slug: string
  suspension: OwnSuspension
}) {
  return (
    <Banner
      tone="danger"
      title="This course is suspended"
      action={
        <ButtonLink to={courseSuspensionPage(slug)} variant="secondary" size="sm">
          {suspension.appealedAt ? 'See your appeal' : 'Read more or appeal'}
        </ButtonLink>
      }
    >
      <p className="wrap-anywhere">
        The reason: “{suspension.reason}” Its members keep it; nobody new can find, join or buy it,
        and it cannot be published.
      </p>
    </Banner>
  )
}
