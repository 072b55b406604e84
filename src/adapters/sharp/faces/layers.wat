;; The layers of the face detector, four values at a time. Grids are 32-bit floats, channels last; the
;; number of channels is a multiple of 8, that of rows in `multiply` of 4. Where something lies is given
;; in bytes, how much there is in values.
(module
  (memory (export "memory") 1)

  ;; Writes `bias`, `channels` long, at each of `places` places.
  (func (export "fill")
    (param $bias i32) (param $output i32) (param $places i32) (param $channels i32)
    (local $bytes i32)
    (local.set $bytes (i32.shl (local.get $channels) (i32.const 2)))
    (loop $place
      (memory.copy (local.get $output) (local.get $bias) (local.get $bytes))
      (local.set $output (i32.add (local.get $output) (local.get $bytes)))
      (local.set $places (i32.sub (local.get $places) (i32.const 1)))
      (br_if $place (local.get $places))))

  ;; output[row][column] += sum of input[row][each] * weights[each][column], for `rows` rows.
  ;; `step` bytes lie between the beginnings of two rows of the input. Four rows by eight columns are kept
  ;; in registers, so that each weight is fetched once for four rows.
  (func (export "multiply")
    (param $input i32) (param $step i32) (param $inner i32)
    (param $weights i32) (param $output i32) (param $rows i32) (param $columns i32)
    (local $row i32) (local $column i32) (local $each i32)
    (local $in i32) (local $weight i32) (local $out i32) (local $width i32)
    (local $out1 i32) (local $out2 i32) (local $out3 i32)
    (local $in1 i32) (local $in2 i32) (local $in3 i32)
    (local $left v128) (local $right v128) (local $value v128)
    (local $a0 v128) (local $a1 v128) (local $b0 v128) (local $b1 v128)
    (local $c0 v128) (local $c1 v128) (local $d0 v128) (local $d1 v128)
    (local.set $width (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $row (i32.const 0))
    (loop $rows
      (local.set $column (i32.const 0))
      (loop $columns
        (local.set $in
          (i32.add (local.get $input) (i32.mul (local.get $row) (local.get $step))))
        (local.set $in1 (i32.add (local.get $in) (local.get $step)))
        (local.set $in2 (i32.add (local.get $in1) (local.get $step)))
        (local.set $in3 (i32.add (local.get $in2) (local.get $step)))
        (local.set $weight
          (i32.add (local.get $weights) (i32.shl (local.get $column) (i32.const 2))))
        (local.set $out
          (i32.add (local.get $output)
            (i32.add (i32.mul (local.get $row) (local.get $width))
              (i32.shl (local.get $column) (i32.const 2)))))
        (local.set $out1 (i32.add (local.get $out) (local.get $width)))
        (local.set $out2 (i32.add (local.get $out1) (local.get $width)))
        (local.set $out3 (i32.add (local.get $out2) (local.get $width)))
        (local.set $a0 (v128.load (local.get $out)))
        (local.set $a1 (v128.load offset=16 (local.get $out)))
        (local.set $b0 (v128.load (local.get $out1)))
        (local.set $b1 (v128.load offset=16 (local.get $out1)))
        (local.set $c0 (v128.load (local.get $out2)))
        (local.set $c1 (v128.load offset=16 (local.get $out2)))
        (local.set $d0 (v128.load (local.get $out3)))
        (local.set $d1 (v128.load offset=16 (local.get $out3)))
        (local.set $each (local.get $inner))
        (loop $inner
          (local.set $left (v128.load (local.get $weight)))
          (local.set $right (v128.load offset=16 (local.get $weight)))
          (local.set $value (v128.load32_splat (local.get $in)))
          (local.set $a0 (f32x4.add (local.get $a0) (f32x4.mul (local.get $value) (local.get $left))))
          (local.set $a1 (f32x4.add (local.get $a1) (f32x4.mul (local.get $value) (local.get $right))))
          (local.set $value (v128.load32_splat (local.get $in1)))
          (local.set $b0 (f32x4.add (local.get $b0) (f32x4.mul (local.get $value) (local.get $left))))
          (local.set $b1 (f32x4.add (local.get $b1) (f32x4.mul (local.get $value) (local.get $right))))
          (local.set $value (v128.load32_splat (local.get $in2)))
          (local.set $c0 (f32x4.add (local.get $c0) (f32x4.mul (local.get $value) (local.get $left))))
          (local.set $c1 (f32x4.add (local.get $c1) (f32x4.mul (local.get $value) (local.get $right))))
          (local.set $value (v128.load32_splat (local.get $in3)))
          (local.set $d0 (f32x4.add (local.get $d0) (f32x4.mul (local.get $value) (local.get $left))))
          (local.set $d1 (f32x4.add (local.get $d1) (f32x4.mul (local.get $value) (local.get $right))))
          (local.set $in (i32.add (local.get $in) (i32.const 4)))
          (local.set $in1 (i32.add (local.get $in1) (i32.const 4)))
          (local.set $in2 (i32.add (local.get $in2) (i32.const 4)))
          (local.set $in3 (i32.add (local.get $in3) (i32.const 4)))
          (local.set $weight (i32.add (local.get $weight) (local.get $width)))
          (local.set $each (i32.sub (local.get $each) (i32.const 1)))
          (br_if $inner (local.get $each)))
        (v128.store (local.get $out) (local.get $a0))
        (v128.store offset=16 (local.get $out) (local.get $a1))
        (v128.store (local.get $out1) (local.get $b0))
        (v128.store offset=16 (local.get $out1) (local.get $b1))
        (v128.store (local.get $out2) (local.get $c0))
        (v128.store offset=16 (local.get $out2) (local.get $c1))
        (v128.store (local.get $out3) (local.get $d0))
        (v128.store offset=16 (local.get $out3) (local.get $d1))
        (local.set $column (i32.add (local.get $column) (i32.const 8)))
        (br_if $columns (i32.lt_u (local.get $column) (local.get $columns))))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (br_if $rows (i32.lt_u (local.get $row) (local.get $rows)))))

  ;; Each channel by itself over its 3 by 3 neighbourhood. The input has a border of one place around
  ;; `side` by `side` places, the output none. `weights` are [row][column][channel].
  (func (export "depthwise")
    (param $input i32) (param $weights i32) (param $output i32) (param $side i32) (param $channels i32)
    (local $x i32) (local $y i32) (local $channel i32) (local $line i32) (local $place i32)
    (local $from i32) (local $weight i32) (local $sum v128) (local $row i32)
    (local.set $place (i32.shl (local.get $channels) (i32.const 2)))
    (local.set $line
      (i32.mul (i32.add (local.get $side) (i32.const 2)) (local.get $place)))
    (loop $lines
      (local.set $x (i32.const 0))
      (loop $places
        (local.set $channel (i32.const 0))
        (loop $channels
          (local.set $sum (v128.const f32x4 0 0 0 0))
          (local.set $from (i32.add (local.get $input) (local.get $channel)))
          (local.set $weight (i32.add (local.get $weights) (local.get $channel)))
          (local.set $row (i32.const 3))
          (loop $neighbours
            (local.set $sum
              (f32x4.add
                (f32x4.add (local.get $sum)
                  (f32x4.mul (v128.load (local.get $from)) (v128.load (local.get $weight))))
                (f32x4.add
                  (f32x4.mul
                    (v128.load (i32.add (local.get $from) (local.get $place)))
                    (v128.load (i32.add (local.get $weight) (local.get $place))))
                  (f32x4.mul
                    (v128.load (i32.add (local.get $from) (i32.shl (local.get $place) (i32.const 1))))
                    (v128.load (i32.add (local.get $weight) (i32.shl (local.get $place) (i32.const 1))))))))
            (local.set $from (i32.add (local.get $from) (local.get $line)))
            (local.set $weight
              (i32.add (local.get $weight) (i32.mul (local.get $place) (i32.const 3))))
            (local.set $row (i32.sub (local.get $row) (i32.const 1)))
            (br_if $neighbours (local.get $row)))
          (v128.store (i32.add (local.get $output) (local.get $channel)) (local.get $sum))
          (local.set $channel (i32.add (local.get $channel) (i32.const 16)))
          (br_if $channels (i32.lt_u (local.get $channel) (local.get $place))))
        (local.set $input (i32.add (local.get $input) (local.get $place)))
        (local.set $output (i32.add (local.get $output) (local.get $place)))
        (local.set $x (i32.add (local.get $x) (i32.const 1)))
        (br_if $places (i32.lt_u (local.get $x) (local.get $side))))
      ;; Over the border on the right and the one on the left of the next line.
      (local.set $input (i32.add (local.get $input) (i32.shl (local.get $place) (i32.const 1))))
      (local.set $y (i32.add (local.get $y) (i32.const 1)))
      (br_if $lines (i32.lt_u (local.get $y) (local.get $side)))))

  ;; The largest of two by two places that begin at `a`, `b`, `c` and `d`, bent: what is below zero counts a
  ;; tenth. That keeps the order, so it may come after the choice.
  (func (export "largest")
    (param $a i32) (param $b i32) (param $c i32) (param $d i32) (param $output i32) (param $channels i32)
    (local $at i32) (local $bytes i32) (local $value v128)
    (local.set $bytes (i32.shl (local.get $channels) (i32.const 2)))
    (loop $channel
      (local.set $value
        (f32x4.max
          (f32x4.max
            (v128.load (i32.add (local.get $a) (local.get $at)))
            (v128.load (i32.add (local.get $b) (local.get $at))))
          (f32x4.max
            (v128.load (i32.add (local.get $c) (local.get $at)))
            (v128.load (i32.add (local.get $d) (local.get $at))))))
      (v128.store (i32.add (local.get $output) (local.get $at))
        (f32x4.max (local.get $value)
          (f32x4.mul (local.get $value) (v128.const f32x4 0.1 0.1 0.1 0.1))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $channel (i32.lt_u (local.get $at) (local.get $bytes))))))
