export async function measureReads() {
  return [];
}
export function readsTable() {
  return '';
}
