import { row } from '../../contract-row.ts'
import {
  byCertificate,
  byCourse,
  byIssued,
  certificate,
  certificateOfCourse,
  issuedCertificate,
  issuedPage,
  issuedQuery,
  ownCertificates,
  revocation,
} from './schema.ts'

export const certificates = {
  /** As PDF and as Open Badges credential: `/certificates/{id}/certificate.pdf`, `badge.jwt`, `badge.json`. */
  getCertificate: row(
    'public',
    'GET',
    '/rest/v1/certificates/{certificateId}',
    'A certificate, valid or revoked',
    { scope: 'learning:read', fromReplica: true },
  )
    .input(byCertificate)
    .output(certificate),

  getMyCertificates: row('signedIn', 'GET', '/rest/v1/certificates', 'My certificates', {
    scope: 'learning:read',
  }).output(ownCertificates),

  getOwnCertificate: row(
    'member',
    'GET',
    '/rest/v1/courses/{courseId}/certificate',
    'My certificate of a course',
    { scope: 'learning:read' },
  )
    .input(byCourse)
    .output(certificateOfCourse),

  /** For who had completed everything that is left of a course without completing its last lesson. Twice is harmless. */
  claimCertificate: row(
    'member',
    'POST',
    '/rest/v1/courses/{courseId}/certificate',
    'Get my certificate of a course that I completed',
    { scope: 'learning:write' },
  )
    .errors({
      NOT_COMPLETE: {
        status: 409,
        message: 'The certificate is for learners who completed every lesson of the course.',
      },
    })
    .input(byCourse)
    .output(certificateOfCourse),

  getIssuedCertificates: row(
    'moderator',
    'GET',
    '/rest/v1/courses/{courseId}/certificates',
    'The certificates of a course, a page at a time',
    { scope: 'members:read' },
  )
    .input(issuedQuery)
    .output(issuedPage),

  getIssuedCertificate: row(
    'moderator',
    'GET',
    '/rest/v1/courses/{courseId}/certificates/{certificateId}',
    'One certificate of a course',
    { scope: 'members:read' },
  )
    .input(byIssued)
    .output(issuedCertificate),

  /** For good. Revoking twice is harmless: the first reason stays. */
  revokeCertificate: row(
    'moderator',
    'POST',
    '/rest/v1/courses/{courseId}/certificates/{certificateId}/revocation',
    'Revoke a certificate of a course',
    { scope: 'members:write' },
  )
    .input(revocation)
    .output(issuedCertificate),
}
