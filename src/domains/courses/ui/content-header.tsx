import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import type { Saving } from './content-use-saving.ts'

/** What the page is, whether everybody sees the course, and the button that changes it. */
export function ContentHeader({ courseId, saving }: { courseId: string; saving: Saving }) {
  const { isPublished, busy } = saving
  return (
    <PageHeader
      back={{ to: '/dashboard', label: 'Back to Dashboard' }}
      title="Edit Course Content"
      description="Update your course chapters and lessons"
      badges={
        <Badge tone={isPublished ? 'success' : 'neutral'}>
          {isPublished ? 'Published' : 'Draft'}
        </Badge>
      }
      actions={
        <>
          <ButtonLink to={`/create-course?courseId=${courseId}`} variant="secondary" size="sm">
            Course Information
          </ButtonLink>
          {isPublished ? (
            <Button
              variant="secondary"
              size="sm"
              busy={busy === 'unpublish'}
              aria-disabled={busy !== null || undefined}
              busyText="Unpublishing..."
              onClick={saving.unpublish}
            >
              Unpublish
            </Button>
          ) : (
            <Button
              size="sm"
              busy={busy === 'publish'}
              aria-disabled={busy !== null || undefined}
              busyText="Saving..."
              onClick={() => saving.run('publish')}
            >
              Publish
            </Button>
          )}
        </>
      }
    />
  )
}
