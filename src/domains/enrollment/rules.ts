// Pure decisions about members.

/** Courses in the menu of every page; the dashboard has all. */
export const mostInMenu = 50

export const memberLimits = { perPage: 25, search: 200, reason: 2000 } as const
