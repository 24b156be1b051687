import { count, eq, sql } from 'drizzle-orm'
import { type PersonalData, personalTable } from '../../server/personal-data.ts'
import {
  communitySettings,
  moderationActions,
  moderationCases,
  moderationReports,
} from './tables.ts'

export const moderationData: PersonalData = {
  tables: {
    reports: personalTable(moderationReports, {
      about: 'What you reported to those who moderate.',
      rowsOf: ({ id }) => eq(moderationReports.reporterId, id),
      columns: {
        id: 'exported',
        caseId: 'exported',
        reporterId: { withheld: 'always you' },
        reason: 'exported',
        note: 'exported',
        createdAt: 'exported',
      },
      also: {
        courseTitle: sql`(select c.title from moderation_cases m join courses c on c.id = m.course_id
                           where m.id = moderation_reports.case_id)`,
      },
      onDeletion: 'deleted',
    }),

    casesAboutYou: personalTable(moderationCases, {
      about: 'What others reported of what you wrote, and what became of it.',
      rowsOf: ({ id }) => eq(moderationCases.authorId, id),
      columns: {
        id: 'exported',
        courseId: 'exported',
        subject: 'exported',
        postId: 'exported',
        commentId: 'exported',
        authorId: { withheld: 'always you' },
        content: 'exported',
        aboutInstructor: 'exported',
        status: 'exported',
        outcome: 'exported',
        reportsCount: 'exported',
        createdAt: 'exported',
        closedAt: 'exported',
      },
      also: {
        courseTitle: sql`(select c.title from courses c where c.id = moderation_cases.course_id)`,
      },
      // Without its text: what was decided, and by whom, stays for those who moderate.
      onDeletion: 'anonymised',
    }),

    moderation: personalTable(moderationActions, {
      about: 'What you decided or noted as a moderator.',
      rowsOf: ({ id }) => eq(moderationActions.moderatorId, id),
      columns: {
        id: 'exported',
        caseId: 'exported',
        moderatorId: { withheld: 'always you' },
        action: 'exported',
        note: 'exported',
        createdAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),

    communitySettings: personalTable(communitySettings, {
      about: 'What may be written in the communities of your courses.',
      rowsOf: ({ id }) => sql`community_settings.course_id in
                              (select c.id from courses c where c.instructor_id = ${id})`,
      columns: {
        courseId: 'exported',
        blockedWords: 'exported',
        firstPosts: 'exported',
        firstPostsLinks: 'exported',
        updatedAt: 'exported',
      },
      // They stay with a course that is kept for its members, and go with one that is not.
      onDeletion: 'anonymised',
    }),
  },

  async consequences(executor, { id }) {
    const [made] = await executor
      .select({ total: count() })
      .from(moderationReports)
      .where(eq(moderationReports.reporterId, id))
    const total = made?.total ?? 0
    if (total === 0) return []
    const what = total === 1 ? 'Your report of a post or comment is' : `Your ${total} reports are`
    return [{ text: `${what} deleted. What was decided stays.`, stays: false }]
  },

  /** The posts and comments are locked already: cases come after them, in the order of their ids. */
  async leave(transaction, { person }) {
    const { id } = person
    await transaction.execute(sql`
      select id from moderation_cases
       where author_id = ${id}
          or id in (select case_id from moderation_reports where reporter_id = ${id})
       order by id for no key update`)
    await transaction.execute(sql`
      with gone as (
        delete from moderation_reports where reporter_id = ${id} returning case_id)
      update moderation_cases m set reports_count = m.reports_count - 1
        from gone where m.id = gone.case_id`)
    await transaction
      .update(moderationCases)
      .set({ authorId: null, content: '' })
      .where(eq(moderationCases.authorId, id))
  },
}
