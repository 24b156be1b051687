import type { LucideIcon } from 'lucide-react'
import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'

type PageProblemProps = {
  icon: LucideIcon
  /** 'Course not found' */
  notFound: string
  description: string
  /** Where to go instead. */
  back: { to: string; label: string }
  /** What else can go wrong: 'Could not load this course'. */
  failed: string
}

/** For a route's ErrorBoundary: what was asked for is not there, or could not be loaded. */
export function PageProblem({ icon, notFound, description, back, failed }: PageProblemProps) {
  const error = useRouteError()
  const { pathname, search } = useLocation()
  const refusal = isRouteErrorResponse(error) && error.status < 500 ? error : null
  const backLink = (
    <ButtonLink to={back.to} variant={refusal ? 'primary' : 'secondary'}>
      {back.label}
    </ButtonLink>
  )

  return (
    <div className="page-width py-12 lg:py-16">
      {refusal ? (
        <EmptyState
          level={1}
          icon={icon}
          title={notFound}
          description={description}
          action={backLink}
        />
      ) : (
        <ErrorState
          level={1}
          title={failed}
          description="Something went wrong on our side. Please try again in a moment."
          action={
            <>
              {/* A link, so that it works where nothing is hydrated. */}
              <ButtonLink to={pathname + search} reloadDocument>
                Try again
              </ButtonLink>
              {backLink}
            </>
          }
        />
      )}
    </div>
  )
}
