/**
 * How many workflow tasks a worker takes at once, and with how many calls it asks for them. A task
 * that finds nobody free is written to the server's queue and read from there, which costs as much
 * as the message; what has waited for a second there is replayed. But the clock of a task runs from
 * the moment it is taken: after a crash all conversations are replayed by one thread, and as many
 * as are taken at once have to be done in time, or all of them begin again, for ever
 * (docs/decisions/workflow-threads.md).
 */
export const TASKS_AT_ONCE = {
  maxConcurrentWorkflowTaskExecutions: 32,
  maxConcurrentWorkflowTaskPolls: 16,
};
