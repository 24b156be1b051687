// Pure decisions about applications: what is asked, and how much of it.

export const questionLimits = { questions: 20, question: 300, instructions: 2000 } as const

export const applicationLimits = {
  answer: 5000,
  notes: 2000,
  atOnce: 200,
  perPage: 20,
  /** By one person to one course: who is rejected or withdraws may apply again. */
  perDay: 10,
} as const

/** How long a decision about many waits, in which it can be taken back. */
export const secondsToUndo = 10

export const defaultInstructions = 'Write anything here that will be displayed to the applicant.'

/** What a course asks as long as its creator has not written anything else (spec 1, section 9). */
export const defaultQuestions = [
  { question: 'Why are you interested in this course?', required: true },
  { question: 'What do you hope to achieve by taking this course?', required: true },
  { question: 'Do you have any prior experience in this subject?', required: false },
]

/** The course form and the list of questions by itself say it in different words. */
export const emptyQuestion = {
  inCourseForm:
    'All application questions must have content. Please fill in all questions or remove empty ones.',
  inList: 'All questions must have content. Please fill in all questions or remove empty ones.',
}

/** Said where a required question has no answer (spec 2, section 5). */
export const unansweredMessage = 'Please answer all required questions.'

/** Which applications the list can show. */
export const applicationsShown = ['pending', 'approved', 'rejected', 'all'] as const
