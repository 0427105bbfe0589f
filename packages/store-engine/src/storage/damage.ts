/** What is wrong with a data folder, in words that follow "is damaged: ". */
export class Damage extends Error {}

/**
 * A document that has not its checksum, on a page that is as it should be: it alone cannot be read.
 */
export class DamagedDocument extends Damage {}

/**
 * A data folder that cannot be used as it is, told in one line that says what to do about it.
 * Nothing is gained by trying again.
 */
export class DamagedFolder extends Error {
  constructor(folder: string, { message }: Damage) {
    super(
      `The data folder ${folder} is damaged: ${message}. Go back to a backup of it, ` +
        `or see what can be saved: node packages/store-engine/dist/check.js --data-dir ${folder}`,
    );
  }
}
