export { TreeSessionRepo } from './repo.js';
export { TreeStorage } from './storage.js';
