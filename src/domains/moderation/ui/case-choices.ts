// What a moderator can do about a case, and what each of it is called and means.
import type { CaseAction } from '../rules.ts'
import type { ModerationCase } from '../schema.ts'

type Situation = Pick<
  ModerationCase,
  'status' | 'ownStatus' | 'postIsHidden' | 'authorIsMember' | 'aboutInstructor'
>

/** In the order of the buttons; the server decides. */
export function choicesOf(about: Situation): CaseAction[] {
  const { status, ownStatus, postIsHidden, authorIsMember, aboutInstructor } = about
  const isOpen = status === 'open'
  const isAllowed: Record<CaseAction, boolean> = {
    dismiss: isOpen,
    hide: isOpen && ownStatus === 'published',
    delete: isOpen && ownStatus !== 'deleted',
    warn: isOpen && authorIsMember,
    remove_member: isOpen && authorIsMember && !aboutInstructor,
    restore: ownStatus === 'hidden' && !postIsHidden,
    note: true,
  }
  const order: CaseAction[] = [
    'dismiss',
    'hide',
    'restore',
    'delete',
    'warn',
    'remove_member',
    'note',
  ]
  return order.filter((action) => isAllowed[action])
}

export interface ChoiceWords {
  /** On the button that asks. */
  label: string
  title: string
  /** What happens then, and who is told. */
  meaning: string
  confirm: string
  busy: string
  /** Who reads the note. */
  noteFor: 'author' | 'moderators'
  tone: 'primary' | 'danger'
  /** Said when the server has done it. */
  done: string
}

type Named = Pick<ModerationCase, 'subject' | 'author' | 'ownStatus'>

export function wordsOf(action: CaseAction, { subject, author, ownStatus }: Named): ChoiceWords {
  const name = author?.name ?? 'the author'
  const isGone = ownStatus === 'deleted'
  const words: Record<CaseAction, ChoiceWords> = {
    dismiss: {
      label: 'Dismiss',
      title: 'Dismiss this case?',
      meaning: isGone
        ? `The ${subject} was deleted already. Who reported it is told that it is not there any more.`
        : `The ${subject} stays as it is. Who reported it is told that somebody looked at it.`,
      confirm: 'Dismiss',
      busy: 'Dismissing...',
      noteFor: 'moderators',
      tone: 'primary',
      done: 'The case is dismissed.',
    },
    hide: {
      label: 'Hide',
      title: `Hide this ${subject}?`,
      meaning:
        'Nobody reads it any more, until you restore it. Its author and who reported it are told.',
      confirm: 'Hide',
      busy: 'Hiding...',
      noteFor: 'author',
      tone: 'primary',
      done: `The ${subject} is hidden.`,
    },
    delete: {
      label: 'Delete',
      title: `Are you sure you want to delete this ${subject}?`,
      meaning:
        subject === 'post'
          ? 'It goes for good, with its comments, likes and files. Its author and who reported it are told.'
          : 'It goes for good. Its author and who reported it are told.',
      confirm: 'Delete',
      busy: 'Deleting...',
      noteFor: 'author',
      tone: 'danger',
      done: `The ${subject} is deleted.`,
    },
    warn: {
      label: 'Warn',
      title: 'Warn the author?',
      meaning: `${isGone ? '' : `The ${subject} stays. `}Its author reads your note, and who reported it is told that something was done.`,
      confirm: 'Send Warning',
      busy: 'Sending...',
      noteFor: 'author',
      tone: 'primary',
      done: 'The author is warned.',
    },
    remove_member: {
      label: 'Remove Member',
      title: `Remove ${name}?`,
      meaning: `The course closes to them at once${isGone ? '' : `, and the ${subject} is hidden`}. They and who reported it are told.`,
      confirm: 'Remove Member',
      busy: 'Removing...',
      noteFor: 'author',
      tone: 'danger',
      done: 'The member is removed.',
    },
    restore: {
      label: 'Restore',
      title: `Restore this ${subject}?`,
      meaning: 'Everybody in the course reads it again, and its author is told.',
      confirm: 'Restore',
      busy: 'Restoring...',
      noteFor: 'author',
      tone: 'primary',
      done: `The ${subject} is restored.`,
    },
    note: {
      label: 'Add Note',
      title: 'Add a note',
      meaning:
        'It stays with the case, for everybody who moderates this course. Nothing else changes.',
      confirm: 'Save Note',
      busy: 'Saving...',
      noteFor: 'moderators',
      tone: 'primary',
      done: 'The note is saved.',
    },
  }
  return words[action]
}
