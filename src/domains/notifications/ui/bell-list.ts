import type { BellList } from '../bell-schema.ts'

/** The list after these were read. */
export const withRead = (list: BellList, ids: string[]): BellList => ({
  ...list,
  notifications: list.notifications.map((notice) =>
    ids.includes(notice.id) ? { ...notice, read: true } : notice,
  ),
})

/** The list after these were deleted. */
export const without = (list: BellList, ids: string[]): BellList => ({
  ...list,
  notifications: list.notifications.filter(({ id }) => !ids.includes(id)),
})
