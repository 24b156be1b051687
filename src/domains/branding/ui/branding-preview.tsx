import { accentOf, accentProperties, isColour } from '../../../ui/accent.ts'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { defaultHeading } from '../../certificates/rules.ts'
import { CertificateSheet } from '../../certificates/ui/certificate-sheet.tsx'
import { coverUrls, logoUrl } from '../rules.ts'
import type { BrandingFields } from './branding-fields.ts'
import { colourIn } from './branding-fields.ts'
import { CourseCover, CourseLogo, CourseLook } from './course-look.tsx'

type BrandingPreviewProps = {
  course: { title: string; creatorName: string }
  fields: BrandingFields
  /** A moment, for the certificate. */
  at: string
  /** Beside a form, where there is half of the room: the pictures as wide as on their pages, and smaller. */
  small?: boolean
}

/** A piece of the course's page and its certificate, as they look with this; nothing in it can be pressed. */
export function BrandingPreview({ course, fields, at, small = false }: BrandingPreviewProps) {
  const size = small ? 'lg:[zoom:0.66]' : undefined
  const typed = colourIn(fields.colour)
  const colour = typed !== null && isColour(typed) ? typed : null
  const branding = {
    accent: colour === null ? null : accentProperties(accentOf(colour)),
    logoUrl: fields.logoId ? logoUrl(fields.logoId) : null,
    cover: fields.coverId ? coverUrls(fields.coverId) : null,
  }
  return (
    <div className="grid grid-cols-1 gap-8">
      <figure className="grid grid-cols-1 gap-3">
        <figcaption className="font-semibold">Its pages</figcaption>
        <div className={size}>
          <CourseLook branding={branding}>
            <Card inert padding="none" className="overflow-hidden bg-paper pb-6">
              <CourseCover branding={branding} />
              <div className="grid gap-4 px-6 pt-6">
                <div className="flex items-center gap-4">
                  <CourseLogo branding={branding} size={56} />
                  <p className="font-display text-2xl font-bold wrap-anywhere">{course.title}</p>
                </div>
                <div className="flex flex-wrap items-center gap-4">
                  <span className={buttonClass()}>Join Course</span>
                  <span className="font-semibold text-primary underline underline-offset-4">
                    Preview
                  </span>
                  <Badge tone="primary">Lesson 1</Badge>
                </div>
              </div>
            </Card>
          </CourseLook>
        </div>
      </figure>
      <figure className="grid grid-cols-1 gap-3">
        <figcaption className="font-semibold">Its certificate</figcaption>
        <div inert className={size}>
          <CertificateSheet
            certificate={{
              id: '00000000-0000-0000-0000-000000000000',
              learnerName: 'The learner’s name',
              courseTitle: course.title,
              creatorName: course.creatorName,
              look: {
                colour,
                logoUrl: branding.logoUrl,
                heading: fields.certificateHeading.trim() || defaultHeading,
                words: fields.certificateWords.trim(),
                signatory: fields.certificateSignatory.trim() || course.creatorName,
              },
              issuedAt: at,
              revoked: null,
              courseSlug: null,
              isMine: false,
            }}
          />
        </div>
      </figure>
    </div>
  )
}
