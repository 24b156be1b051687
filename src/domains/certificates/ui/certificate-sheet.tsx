import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'react-router'
import { accentOf, accentProperties, isColour } from '../../../ui/accent.ts'
import { cn } from '../../../ui/cn.ts'
import { LightningMark, Logo } from '../../../ui/logo.tsx'
import { BOLT } from '../../../ui/mark.ts'
import { brand } from '../../site/brand.ts'
import { certificateDay } from '../rules.ts'
import type { Certificate } from '../schema.ts'
import './certificate-sheet.css'

/** The certificate itself; with print styles it is a page of paper. */
export function CertificateSheet({ certificate }: { certificate: Certificate }) {
  const { look, learnerName, courseTitle, creatorName, courseSlug, issuedAt, id, revoked } =
    certificate
  return (
    <article
      aria-label="Certificate"
      className="certificate-sheet overflow-hidden rounded-card border bg-surface shadow-raised"
    >
      <div className="grid content-between gap-12 p-6 sm:p-10 lg:p-14">
        <div className="grid gap-8">
          {look.logoUrl ? (
            <img src={look.logoUrl} alt="" width={64} height={64} className="rounded-control" />
          ) : (
            <Logo className="text-2xl" />
          )}
          <div className="grid gap-6">
            <p
              className="text-lg font-semibold wrap-anywhere text-primary"
              style={inColour(look.colour)}
            >
              {look.heading}
            </p>
            {/* Also on paper. */}
            {revoked && (
              <p className="w-fit rounded-control border-2 border-danger px-3 py-1 text-lg font-bold text-danger">
                Revoked on {certificateDay(revoked.at)}
              </p>
            )}
            <div className="grid gap-2">
              <p className="text-muted">This certifies that</p>
              <h1 className="text-5xl wrap-anywhere">{learnerName}</h1>
            </div>
            <div className="grid gap-2">
              <p className="text-muted">completed every lesson of</p>
              <p className="font-display text-2xl font-bold text-balance wrap-anywhere">
                {courseSlug === null ? (
                  courseTitle
                ) : (
                  <Link to={`/course/${courseSlug}`} className="hover:underline">
                    {courseTitle}
                  </Link>
                )}
              </p>
              <p className="wrap-anywhere text-muted">A course by {creatorName}</p>
            </div>
            {look.words !== '' && (
              <p className="max-w-[36rem] text-pretty wrap-anywhere whitespace-pre-line">
                {look.words}
              </p>
            )}
          </div>
        </div>
        <dl className="grid gap-x-8 gap-y-6 sm:grid-cols-[auto_minmax(0,1fr)]">
          <Signed label="Completed on">
            <time dateTime={issuedAt}>{certificateDay(issuedAt)}</time>
          </Signed>
          <Signed label={`For the course, on ${brand.name}`}>{look.signatory}</Signed>
          <div className="sm:col-span-2">
            <dt className="text-xs text-muted">Its address, where anybody can check it</dt>
            <dd className="text-xs font-semibold wrap-anywhere select-all">
              {brand.appUrl}/certificates/{id}
            </dd>
          </div>
        </dl>
      </div>
      <Panel colour={look.colour} isRevoked={revoked !== null} />
    </article>
  )
}

/** As near to the colour as can be read. */
const inColour = (colour: string | null) =>
  colour !== null && isColour(colour)
    ? (accentProperties(accentOf(colour)) as CSSProperties)
    : undefined

function Signed({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-44 flex-col-reverse gap-1.5">
      <dt className="border-t border-edge/60 pt-1.5 text-sm text-muted">{label}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  )
}

/** In the colour of the course; else in the product's, with its bolt. */
function Panel({ colour, isRevoked }: { colour: string | null; isRevoked: boolean }) {
  const bolt = 'h-[68%] max-h-80 w-3/4 max-md:h-12 md:ml-[18%]'
  return (
    <div
      aria-hidden
      className={cn('certificate-panel grid place-items-center bg-mark', isRevoked && 'grayscale')}
      style={colour === null ? undefined : { backgroundColor: colour }}
    >
      {colour === null ? (
        <LightningMark bare className={`${bolt} text-spark`} />
      ) : (
        // Seen on any colour: light with a dark edge around it.
        <svg viewBox="0 0 24 24" className={bolt}>
          <path d={BOLT} fill="#fff" stroke="#171a2b" strokeOpacity={0.35} strokeWidth={0.35} />
        </svg>
      )}
    </div>
  )
}
