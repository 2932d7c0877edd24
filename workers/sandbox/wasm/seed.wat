;; Linked into the component beside Python, and run before it: Python, which is started once when the component is built
;; and then frozen, must not draw the seed of its hashes by lot, or two builds would order their sets differently.
(module
  (@dylink.0 (mem-info (memory 64 0)) (needed "libc.so"))
  (import "env" "memory" (memory 1))
  (import "env" "__memory_base" (global $base i32))
  (import "env" "setenv" (func $setenv (param i32 i32 i32) (result i32)))
  (func (export "__wasm_call_ctors")
    (drop (call $setenv
      (global.get $base) (i32.add (global.get $base) (i32.const 15)) (i32.const 1)))
    (drop (call $setenv
      (i32.add (global.get $base) (i32.const 17)) (i32.add (global.get $base) (i32.const 41)) (i32.const 1))))
  (data (global.get $base) "PYTHONHASHSEED\00" "0\00" "PYTHONDONTWRITEBYTECODE\00" "1\00"))
