import { createRequire } from "node:module";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encodeDeployData, encodeFunctionData } from "viem";
// test/contracts/compile.ts
const require = createRequire(import.meta.url);
const CACHE = fileURLToPath(new URL("../../build/test-contracts/", import.meta.url));
const SETTINGS = {
	evmVersion: "cancun",
	optimizer: {
		enabled: true,
		runs: 200
	},
	outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } }
};
/**
* Compiles a contract of `<file>.sol` of this folder, with imports from the installed packages. The outcome
* is kept in `build/` and read from there as long as source, settings, compiler and packages stay the same.
*
* @throws with the compiler's words
*/
async function compileContract(file, name = file) {
	const content = readFileSync(new URL(`${file}.sol`, import.meta.url), "utf8");
	const cached = `${CACHE}${name}-${fingerprint(content)}.json`;
	if (!existsSync(cached)) {
		mkdirSync(CACHE, { recursive: true });
		writeFileSync(`${cached}.${process.pid}`, JSON.stringify(await compile(file, name, content)));
		renameSync(`${cached}.${process.pid}`, cached);
	}
	return JSON.parse(readFileSync(cached, "utf8"));
}
function fingerprint(content) {
	const hash = createHash("sha256").update(content).update(JSON.stringify(SETTINGS));
	for (const name of ["solc", "@openzeppelin/contracts"]) hash.update(require(`${name}/package.json`).version);
	return hash.digest("hex").slice(0, 16);
}
async function compile(file, name, content) {
	const { default: solc } = await import("solc");
	const input = {
		language: "Solidity",
		sources: { [`${file}.sol`]: { content } },
		settings: SETTINGS
	};
	const output = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
	const failures = (output.errors ?? []).filter(({ severity }) => severity === "error");
	const contract = output.contracts[`${file}.sol`]?.[name];
	if (contract === void 0 || failures.length > 0) throw new Error(failures.map(({ formattedMessage }) => formattedMessage).join("\n"));
	return {
		abi: contract.abi,
		bytecode: `0x${contract.evm.bytecode.object}`
	};
}
function readImport(path) {
	try {
		return { contents: readFileSync(require.resolve(path), "utf8") };
	} catch {
		return { error: `${path} is in no installed package` };
	}
}
// test/contracts/world.tmp.ts
const url = process.argv[2] ?? "";
let id = 0;
const call = async (method, ...params) => {
	const j = await (await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: ++id,
			method,
			params
		})
	})).json();
	if (j.error) throw new Error(method + JSON.stringify(j.error));
	return j.result;
};
const [a, b] = await call("eth_accounts");
const gas = "0x4c4b40";
const deploy = async (file, name, args = []) => {
	const { abi, bytecode } = await compileContract(file, name);
	const hash = await call("eth_sendTransaction", {
		from: a,
		data: encodeDeployData({
			abi,
			bytecode,
			args
		}),
		gas
	});
	const r = await call("eth_getTransactionReceipt", hash);
	await call("ledger_addArtifact", {
		name,
		abi,
		address: r.contractAddress
	});
	return {
		abi,
		address: r.contractAddress,
		hash
	};
};
const send = async (c, functionName, args = []) => {
	const hash = await call("eth_sendTransaction", {
		from: a,
		to: c.address,
		gas,
		data: encodeFunctionData({
			abi: c.abi,
			functionName,
			args
		})
	});
	console.log(functionName, hash);
	return hash;
};
const chatter = await deploy("Chatter", "Chatter");
console.log("chatter", chatter.address, chatter.hash);
await send(chatter, "pass", [4n, "four"]);
await send(chatter, "pass", [9n, "nine"]);
await send(chatter, "talk", [5n]);
await send(chatter, "create", [true]);
const token = await deploy("Token", "Token", process.argv[3] ? JSON.parse(process.argv[3]) : []);
console.log("token", token.address, token.abi.filter((e) => e.type === "function" || e.type === "constructor").map((e) => e.name + "(" + e.inputs.map((i) => i.type) + ")").join(" "));
for (let i = 1; i < 6; i++) await send(token, "transfer", [b, BigInt(i * 1e3)]);
export {};
