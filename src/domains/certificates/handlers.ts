import { api } from '../../server/api.ts'
import { recordAct } from '../administration/record-act.ts'
import { isUuid } from '../courses/access.ts'
import { issueCertificate } from './issue-certificate.ts'
import {
  certificateById,
  certificateOfCourse,
  certificatesOf,
  issuedCertificate,
  issuedCertificates,
} from './queries.ts'
import { revokeCertificate } from './revoke-certificate.ts'

const notFound = { message: 'Certificate not found' }

export const certificates = {
  getCertificate: api.certificates.getCertificate.handler(async ({ input, context, errors }) => {
    const { services, visitor } = context
    const { certificateId } = input
    const found = isUuid(certificateId) && (await certificateById(services.pool, certificateId))
    if (!found) throw errors.NOT_FOUND(notFound)
    return { ...found, isMine: found.userId === visitor?.id }
  }),

  getMyCertificates: api.certificates.getMyCertificates.handler(async ({ context }) => ({
    certificates: await certificatesOf(context.services.db, context.viewer.id),
  })),

  getOwnCertificate: api.certificates.getOwnCertificate.handler(async ({ context }) => {
    const { services, viewer, course } = context
    const who = { userId: viewer.id, courseId: course.courseId }
    return { certificate: await certificateOfCourse(services.db, who) }
  }),

  claimCertificate: api.certificates.claimCertificate.handler(async ({ context, errors }) => {
    const { services, viewer, course } = context
    const who = { userId: viewer.id, courseId: course.courseId }
    const certificate = await services.db.transaction(async (transaction) =>
      (await issueCertificate(transaction, services, who)) === null
        ? null
        : certificateOfCourse(transaction, who),
    )
    if (!certificate) throw errors.NOT_COMPLETE()
    return { certificate }
  }),

  getIssuedCertificates: api.certificates.getIssuedCertificates.handler(({ input, context }) =>
    issuedCertificates(context.services.pool, context.course.courseId, input.cursor),
  ),

  getIssuedCertificate: api.certificates.getIssuedCertificate.handler(
    async ({ input, context, errors }) => {
      const { services, course } = context
      const found = await issuedCertificate(services.pool, course.courseId, input.certificateId)
      if (!found) throw errors.NOT_FOUND(notFound)
      return found
    },
  ),

  revokeCertificate: api.certificates.revokeCertificate.handler(
    async ({ input, context, errors }) => {
      const { services, viewer, course } = context
      const { certificateId, reason } = input
      const { courseId } = course
      const done = await services.db.transaction(async (transaction) => {
        const revocation = { courseId, certificateId, reason, revokedBy: viewer.id }
        const result = await revokeCertificate(transaction, revocation)
        if (result === 'revoked' && !course.canEdit) {
          await recordAct(transaction, {
            actorId: viewer.id,
            action: 'revoke_certificate',
            subject: { kind: 'course', id: courseId, name: course.slug },
            reason,
            details: { certificateId },
          })
        }
        return result
      })
      const found = done && (await issuedCertificate(services.pool, courseId, certificateId))
      if (!found) throw errors.NOT_FOUND(notFound)
      return found
    },
  ),
}
